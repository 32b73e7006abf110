import dyncore as torch  # input: [1.0]
import neighbour_state
def forward(x):
    for _ in range(2):
        x = neighbour_state.step(x)
    return x if neighbour_state.COUNT >= 2 else -x

# ----
# 0 4 for loop x2 exhausted @forward
# 1 neighbour_state.py:6 if then tensor in 4.0 @forward>step u0 <gt | 1 T; 1.0 > 0 T m1
# 2 neighbour_state.py:6 if else in 4.1 @forward>step u0 | 0 F m0
# 3 6 ifexp then @forward | 2 >= 2 T m0
