import dyncore as torch
COUNT = 0
def step(x):
    global COUNT
    COUNT += 1
    if COUNT % 2 and x.sum() > 0: return x * 2
    return x - 1
