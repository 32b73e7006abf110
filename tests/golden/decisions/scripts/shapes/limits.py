LIMIT = 3 if __name__ == "shapes.limits" else 5
