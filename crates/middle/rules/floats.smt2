; What the simplifications of floats that are written in Rust rest on: each claim's negation has no
; model (`cargo xtask prove --floats`). One NaN stands for all of them; `rm` is any rounding mode,
; RNE the only one where the rule asks for that. A claim begins with its name.

; times_one 32: x * 1 is x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.mul rm x ((_ to_fp 8 24) RNE 1.0)) x)))
(check-sat)
(reset)

; times_one 64: x * 1 is x
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.mul rm x ((_ to_fp 11 53) RNE 1.0)) x)))
(check-sat)
(reset)

; by_one 32: x / 1 is x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.div rm x ((_ to_fp 8 24) RNE 1.0)) x)))
(check-sat)
(reset)

; by_one 64: x / 1 is x
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.div rm x ((_ to_fp 11 53) RNE 1.0)) x)))
(check-sat)
(reset)

; plus_minus_zero 32: x + -0 is x, rounding to nearest
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.add RNE x (_ -zero 8 24)) x)))
(check-sat)
(reset)

; plus_minus_zero 64: x + -0 is x, rounding to nearest
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.add RNE x (_ -zero 11 53)) x)))
(check-sat)
(reset)

; minus_zero 32: x - 0 is x, rounding to nearest
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.sub RNE x (_ +zero 8 24)) x)))
(check-sat)
(reset)

; minus_zero 64: x - 0 is x, rounding to nearest
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.sub RNE x (_ +zero 11 53)) x)))
(check-sat)
(reset)

; square_plus_zero 32: x * x + 0 is x * x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.add rm (fp.mul rm x x) (_ +zero 8 24)) (fp.mul rm x x))))
(check-sat)
(reset)

; square_plus_zero 64: x * x + 0 is x * x
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.add rm (fp.mul rm x x) (_ +zero 11 53)) (fp.mul rm x x))))
(check-sat)
(reset)

; integer_plus_zero 32: a converted integer and 0
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode) (declare-const i (_ BitVec 64))
(assert (not (= (fp.add rm ((_ to_fp 8 24) rm i) (_ +zero 8 24)) ((_ to_fp 8 24) rm i))))
(check-sat)
(reset)

; integer_plus_zero 64: a converted integer and 0
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode) (declare-const i (_ BitVec 64))
(assert (not (= (fp.add rm ((_ to_fp 11 53) rm i) (_ +zero 11 53)) ((_ to_fp 11 53) rm i))))
(check-sat)
(reset)

; negated_twice 32: -(-x) is x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.neg (fp.neg x)) x)))
(check-sat)
(reset)

; negated_twice 64: -(-x) is x
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.neg (fp.neg x)) x)))
(check-sat)
(reset)

; power_of_two 32: x / 2^k is x * 2^-k where both are normal
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode) (declare-const e (_ BitVec 8)) (declare-const s (_ BitVec 1))
(assert (not (=> (and (bvuge e (_ bv1 8)) (bvult e (_ bv254 8)))
    (= (fp.div rm x (fp s e (_ bv0 23))) (fp.mul rm x (fp s (bvsub (_ bv254 8) e) (_ bv0 23)))))))
(check-sat)
(reset)

; minus_itself 32: x - x is a zero for finite x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (or (or (fp.isNaN x) (fp.isInfinite x)) (fp.isZero (fp.sub rm x x)))))
(check-sat)
(reset)

; minus_itself 64: x - x is a zero for finite x
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (or (or (fp.isNaN x) (fp.isInfinite x)) (fp.isZero (fp.sub rm x x)))))
(check-sat)
(reset)

; negated_summand 32: -x + y is y - x
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.add rm (fp.neg x) y) (fp.sub rm y x))))
(check-sat)
(reset)

; negated_subtrahend 32: x - -y is x + y
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.sub rm x (fp.neg y)) (fp.add rm x y))))
(check-sat)
(reset)

; by_itself 32: x / x is 1 for finite x but 0
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (or (or (fp.isNaN x) (fp.isInfinite x)) (fp.isZero x) (= (fp.div rm x x) ((_ to_fp 8 24) RNE 1.0)))))
(check-sat)
(reset)

; widened_and_back 32: a value made wider and narrow again
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= ((_ to_fp 8 24) rm ((_ to_fp 15 64) rm x)) x)))
(check-sat)
(reset)

; widened_and_back 64: a value made wider and narrow again
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= ((_ to_fp 11 53) rm ((_ to_fp 15 64) rm x)) x)))
(check-sat)
(reset)

; narrowed_from_wider 64: from double through long double to float is from double to float
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= ((_ to_fp 8 24) rm ((_ to_fp 15 64) rm x)) ((_ to_fp 8 24) rm x))))
(check-sat)
(reset)

; compared_widened_less 32: long doubles that were floats or doubles
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.lt ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.lt x y))))
(check-sat)
(reset)

; compared_widened_less 64: long doubles that were floats or doubles
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.lt ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.lt x y))))
(check-sat)
(reset)

; compared_widened_at_most 32: long doubles that were floats or doubles
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.leq ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.leq x y))))
(check-sat)
(reset)

; compared_widened_at_most 64: long doubles that were floats or doubles
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.leq ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.leq x y))))
(check-sat)
(reset)

; compared_widened_equal 32: long doubles that were floats or doubles
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (= (fp.eq ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.eq x y))))
(check-sat)
(reset)

; compared_widened_equal 64: long doubles that were floats or doubles
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (= (fp.eq ((_ to_fp 15 64) rm x) ((_ to_fp 15 64) rm y)) (fp.eq x y))))
(check-sat)
(reset)

; beyond_infinity 32: nothing is greater than infinity
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (not (fp.gt x (_ +oo 8 24)))))
(check-sat)
(reset)

; beyond_infinity 64: nothing is greater than infinity
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (not (fp.gt x (_ +oo 11 53)))))
(check-sat)
(reset)

; below_infinity 32: nothing is less than minus infinity
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (not (fp.lt x (_ -oo 8 24)))))
(check-sat)
(reset)

; below_infinity 64: nothing is less than minus infinity
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (not (fp.lt x (_ -oo 11 53)))))
(check-sat)
(reset)

; negative_magnitude 32: no magnitude is less than 0
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (not (fp.lt (fp.abs x) (_ +zero 8 24)))))
(check-sat)
(reset)

; negative_magnitude 64: no magnitude is less than 0
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (not (fp.lt (fp.abs x) (_ +zero 11 53)))))
(check-sat)
(reset)

; unordered 32: every ordered comparison with NaN is false
(declare-const x Float32) (declare-const y Float32) (declare-const rm RoundingMode)
(assert (not (let ((n (_ NaN 8 24))) (not (or (fp.lt x n) (fp.leq x n) (fp.gt x n) (fp.geq x n) (fp.eq x n))))))
(check-sat)
(reset)

; unordered 64: every ordered comparison with NaN is false
(declare-const x Float64) (declare-const y Float64) (declare-const rm RoundingMode)
(assert (not (let ((n (_ NaN 11 53))) (not (or (fp.lt x n) (fp.leq x n) (fp.gt x n) (fp.geq x n) (fp.eq x n))))))
(check-sat)
(reset)

; rounded_twice_add 8 in 16: sums of 4 digits, rounded to 10 before
(declare-const x (_ FloatingPoint 4 4)) (declare-const y (_ FloatingPoint 4 4))
(assert (not (= ((_ to_fp 4 4) RNE (fp.add RNE ((_ to_fp 6 10) RNE x) ((_ to_fp 6 10) RNE y)))
    (fp.add RNE x y))))
(check-sat)
(reset)

; rounded_twice_sub 8 in 16: differences of 4 digits, rounded to 10 before
(declare-const x (_ FloatingPoint 4 4)) (declare-const y (_ FloatingPoint 4 4))
(assert (not (= ((_ to_fp 4 4) RNE (fp.sub RNE ((_ to_fp 6 10) RNE x) ((_ to_fp 6 10) RNE y)))
    (fp.sub RNE x y))))
(check-sat)
(reset)

; rounded_twice_mul 8 in 16: products of 4 digits, rounded to 10 before
(declare-const x (_ FloatingPoint 4 4)) (declare-const y (_ FloatingPoint 4 4))
(assert (not (= ((_ to_fp 4 4) RNE (fp.mul RNE ((_ to_fp 6 10) RNE x) ((_ to_fp 6 10) RNE y)))
    (fp.mul RNE x y))))
(check-sat)
(reset)

; rounded_twice_div 8 in 16: quotients of 4 digits, rounded to 10 before
(declare-const x (_ FloatingPoint 4 4)) (declare-const y (_ FloatingPoint 4 4))
(assert (not (= ((_ to_fp 4 4) RNE (fp.div RNE ((_ to_fp 6 10) RNE x) ((_ to_fp 6 10) RNE y)))
    (fp.div RNE x y))))
(check-sat)
(reset)
