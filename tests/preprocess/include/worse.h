#error in the second header
