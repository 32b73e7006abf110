import dyncore as torch  # input: [1.0, 4.0, 2.0]
def forward(x):
    k = x.argmax().item()
    if k == 1:
        x = x * 2
    best = int(torch.argmax(x))
    table = {0: "low", 1: "mid"}
    if table.get(best) == "mid":
        x = x + 1
    y = [10, 20, 30][x.argmin()]
    for i in range(int(x[0])):
        if i >= 2:
            break
    return x * y if y > 15 else x

# ----
# 0 4 if then scalar~ @forward <argmax | 1 == 1 T m0
# 1 8 if then scalar~ @forward <argmax | "mid" == "mid" T
# 2 11 for loop scalar~ x3 break @forward <getitem
# 3 12 if else scalar~ in 11.0 @forward u2 <getitem | 0 >= 2 F m-2
# 4 12 if else scalar~ in 11.1 @forward u2 <getitem | 1 >= 2 F m-1
# 5 12 if then scalar~ in 11.2 @forward u2 <getitem | 2 >= 2 T m0
# 6 14 ifexp else scalar~ @forward <argmin | 10 > 15 F m-5
