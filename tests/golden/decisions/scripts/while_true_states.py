import dyncore as torch  # input: 5.0
def forward(x):
    state = "start"
    while True:
        match state:
            case "start" if x > 10:
                state = "stop"
            case "start":
                x = x * 3
            case "stop":
                break
        if state == "stop":
            x = x + 1
    return x

# ----
# 0 6 guard fail tensor in 4.0 @forward <gt | 5.0 > 10 F m-5
# 1 5 match case "start" in 4.0 @forward | "start" T
# 2 12 if else in 4.0 @forward u1 | "start" == "stop" F
# 3 6 guard pass tensor in 4.1 @forward <gt | 15.0 > 10 T m5
# 4 5 match case "start" if x > 10 in 4.1 @forward | "start" T
# 5 12 if then in 4.1 @forward u4 | "stop" == "stop" T
# 6 5 match case "stop" in 4.2 @forward | "stop" T
