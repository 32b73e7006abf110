"""Which ops do what to the size of numbers, by the names users write; in-place forms count with their ops."""


def _named(words: str) -> frozenset[str]:
    names = words.split()
    return frozenset([*names, *(f"{name}_" for name in names)])


#: Their result is zero only if an input is, but for underflow.
PRODUCTS = _named(
    "mul multiply div true_divide pow float_power rpow square exp exp2 sigmoid softmax prod cumprod reciprocal rsqrt "
    "sqrt erfc"
)
#: Of these, what reads a zero and still makes none.
EXPONENTIALS = _named("exp exp2 sigmoid softmax reciprocal rsqrt erfc rpow")
#: Their gradient is what they got times factors made of their inputs, and zero only if one of those is.
FACTORS = _named("mul multiply div true_divide square pow prod reciprocal rsqrt sqrt log log2 log10")
#: Their slope is zero nowhere but by rounding, far out where the curve is flat.
SATURATING = _named(
    "sigmoid tanh erf erfc logsigmoid softplus softsign gelu silu elu celu selu mish atan arctan exp exp2"
)
#: Infinite where their argument is at the end of what they are defined on.
LOGARITHMS = _named("log log2 log10 log1p logit atanh arctanh erfinv lgamma digamma xlogy polygamma mvlgamma")
#: Infinite where their divisor is zero.
QUOTIENTS = _named("div true_divide divide reciprocal rsqrt pow float_power rpow")
#: Their derivative is infinite somewhere.
STEEP = LOGARITHMS | QUOTIENTS | _named(
    "sqrt root norm vector_norm cdist dist acos asin arccos arcsin acosh hypot std var cosine_similarity"
)  # fmt: skip
#: Their result holds numbers that the script wrote.
WRITTEN = _named("full full_like new_full fill masked_fill where tensor clamp zeros ones")
#: They hand the gradient to what they chose, and zeros or next to nothing to the rest.
CHOICES = _named(
    "where masked_fill maximum minimum max min amax amin gather getitem setitem index_select select floor ceil round "
    "sign trunc heaviside dropout feature_dropout alpha_dropout "
    "log_softmax logsumexp cross_entropy"
)
