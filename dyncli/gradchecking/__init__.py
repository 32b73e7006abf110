"""A model's derivatives against finite differences that know the path: `dyncli gradcheck`."""
