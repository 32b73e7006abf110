import dyncore as torch  # input: [4.0, -1.0]
def forward(x):
    def first_negative(values):
        for k, v in enumerate(values):
            if v < 0:
                return k
        return None
    where = first_negative(x)
    if where is None:
        return x
    if first_negative(x[:where]) is not None:
        return -x
    return x[where]

# ----
# 0 4 for loop shape x2 return @forward>forward.<locals>.first_negative
# 1 5 if else tensor in 4.0 @forward>forward.<locals>.first_negative u0 <lt | 4.0 < 0 F m-4
# 2 5 if then tensor in 4.1 @forward>forward.<locals>.first_negative u0 <lt | -1.0 < 0 T m1
# 3 9 if else @forward | 1 is null F
# 4 4 for loop shape x1 exhausted @forward>forward.<locals>.first_negative u3 <getitem
# 5 5 if else tensor in 4.0 @forward>forward.<locals>.first_negative u4 <lt | 4.0 < 0 F m-4
# 6 11 if else @forward u3 | null is not null F
