import dyncore as torch  # input: 1.0
def größe(ä):
    return "ü" if ä > 0 else "ö"
def forward(ß):
    π = 3; τ = 6 if größe(ß) == "ü" else 0
    return ß * τ if τ > π else ß

# ----
# 0 3 ifexp then tensor @forward>größe <gt | 1.0 > 0 T m1
# 1 5 ifexp then scalar~ @forward <gt | "\u00fc" == "\u00fc" T
# 2 6 ifexp then scalar~ @forward <gt | 6 > 3 T m3
