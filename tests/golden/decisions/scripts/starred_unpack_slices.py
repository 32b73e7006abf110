import dyncore as torch  # input: [3.0, 1.0, 2.0]
def qsort(values):
    if len(values) <= 1:
        return values
    head, *rest = values
    low = [v for v in rest if v < head]
    high = [v for v in rest if not v < head]
    return [*qsort(low), head, *qsort(high)]
def forward(x):
    return torch.stack(qsort(list(x)))

# ----
# 0 3 if else shape @forward>qsort | 3 <= 1 F m-2
# 1 6 comp loop shape x2 exhausted @forward>qsort u0
# 2 6 compif keep tensor in 6.0 @forward>qsort u1 <lt | 1.0 < 3.0 T m2
# 3 6 compif keep tensor in 6.1 @forward>qsort u1 <lt | 2.0 < 3.0 T m1
# 4 7 comp loop scalar~ x2 exhausted @forward>qsort u0 <lt
# 5 7 compif drop tensor in 7.0 @forward>qsort u4 <lt | 1.0 < 3.0 T m-2
# 6 7 compif drop tensor in 7.1 @forward>qsort u4 <lt | 2.0 < 3.0 T m-1
# 7 3 if else scalar~ @forward>qsort>qsort r1 u0 <lt | 2 <= 1 F m-1
# 8 6 comp loop scalar~ x1 exhausted @forward>qsort>qsort r1 u7 <lt
# 9 6 compif drop tensor in 6.0 @forward>qsort>qsort r1 u8 <lt | 2.0 < 1.0 F m-1
# 10 7 comp loop scalar~ x1 exhausted @forward>qsort>qsort r1 u7 <lt
# 11 7 compif keep tensor in 7.0 @forward>qsort>qsort r1 u10 <lt | 2.0 < 1.0 F m1
# 12 3 if then scalar~ @forward>qsort>qsort>qsort r2 u7 <lt | 0 <= 1 T m1
# 13 3 if then scalar~ @forward>qsort>qsort>qsort r2 u7 <lt | 1 <= 1 T m0
# 14 3 if then scalar~ @forward>qsort>qsort r1 u0 <lt | 0 <= 1 T m1
