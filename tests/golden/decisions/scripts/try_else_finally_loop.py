import dyncore as torch  # input: [0.0, 2.0]
def inverse(v):
    if v.item() == 0:
        raise ZeroDivisionError
    return 1 / v
def forward(x):
    total = 0
    for k in range(3):
        try:
            y = inverse(x[k])
        except ZeroDivisionError:
            continue
        except (IndexError, KeyError) as error:
            break
        else:
            if y < 1:
                total = total + y
        finally:
            total = total + 1
    else:
        total = total * 100
    return x * total

# ----
# 0 8 for loop x3 break @forward
# 1 3 if then scalar in 8.0 @forward>inverse u0 <getitem | 0.0 == 0 T m0
# 2 9 try except ZeroDivisionError in 8.0 @forward u0 !ZeroDivisionError
# 3 3 if else scalar in 8.1 @forward>inverse u0 <getitem | 2.0 == 0 F m-2
# 4 16 if then tensor in 8.1 @forward u0 <lt | 0.5 < 1 T m0.5
# 5 9 try except (IndexError, KeyError) in 8.2 @forward u0 !IndexError
