import dyncore as torch  # input: [[0.2, 0.9], [0.6, 0.1]]
def forward(x):
    for i, row in enumerate(x):
        for j, w in enumerate(row):
            if (score := w.item() * (i + 1)) > 1:
                break
        else:
            continue
        break
    else:
        return x.sum()
    assert score > 1 and (i, j) == (1, 0), f"{score if score else 'none'}"
    return x * score

# ----
# 0 3 for loop shape x2 break @forward
# 1 4 for loop shape x2 exhausted in 3.0 @forward u0 <unbind
# 2 5 if else scalar~ in 3.0,4.0 @forward u1 <unbind | 0.20000000298023224 > 1 F m-0.8
# 3 5 if else scalar~ in 3.0,4.1 @forward u1 <unbind | 0.8999999761581421 > 1 F m-0.1
# 4 4 for loop shape x1 break in 3.1 @forward u0 <unbind
# 5 5 if then scalar~ in 3.1,4.0 @forward u4 <unbind | 1.2000000476837158 > 1 T m0.2
# 6 12 assert pass scalar~ @forward <unbind | 1.2000000476837158 > 1 T; [1, 0] == [1, 0] T m0.2
