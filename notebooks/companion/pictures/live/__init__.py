"""Pictures that a small script brings to life, without a kernel or a network; each has a twin in words."""
