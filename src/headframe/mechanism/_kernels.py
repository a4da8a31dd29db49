"""Kernels of the general loop solver: tree kinematics, constraints, Levenberg-Marquardt.

A mechanism arrives as a few flat arrays (see `compiled.Mechanism`):

- `tree_i` (nbody, 4): parent body, joint code, first position, first velocity of the joint;
- `tree_f` (nbody, 30): X_PJ as 3x4 rows, X_JL as 3x4 rows, axis, second axis;
- `moves` (nbody, nv): 1 where a velocity moves a body;
- `con_i` (ncon, 4): kind, body A, body B, first row (for RATIO: positions of the two joints);
- `con_f` (ncon, 12): point on A, point on B, vector on A, vector on B (for RATIO: the ratio);
- `target` (ncon): length of a LENGTH, offset of a RATIO.

`work` is scratch memory of `work_size` doubles.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..jit import batch_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

FIXED, REVOLUTE, PRISMATIC, UNIVERSAL, SPHERICAL, FREE = 0, 1, 2, 3, 4, 5
POINT, PARALLEL, ALIGNED, LENGTH, OFFSET, PERPENDICULAR, RATIO = 0, 1, 2, 3, 4, 5, 6
SOLVED, STALLED, OUT_OF_STEPS, SINGULAR = 0, 1, 2, 3
FOLDED = 1e-12  # of a determinant of unit columns: less is rounding


@kernel
def turn(axis: Floats, angle: float, R: Floats) -> None:
    """R = rotation by `angle` about the unit `axis` (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis[0], axis[1], axis[2]
    t = 1.0 - c
    R[0, 0] = c + x * x * t
    R[0, 1] = x * y * t - z * s
    R[0, 2] = x * z * t + y * s
    R[1, 0] = y * x * t + z * s
    R[1, 1] = c + y * y * t
    R[1, 2] = y * z * t - x * s
    R[2, 0] = z * x * t - y * s
    R[2, 1] = z * y * t + x * s
    R[2, 2] = c + z * z * t


@kernel
def turn_quaternion(quat: Floats, R: Floats) -> None:
    """R = rotation of the unit quaternion wxyz."""
    w, x, y, z = quat[0], quat[1], quat[2], quat[3]
    R[0, 0] = 1 - 2 * (y * y + z * z)
    R[0, 1] = 2 * (x * y - w * z)
    R[0, 2] = 2 * (x * z + w * y)
    R[1, 0] = 2 * (x * y + w * z)
    R[1, 1] = 1 - 2 * (x * x + z * z)
    R[1, 2] = 2 * (y * z - w * x)
    R[2, 0] = 2 * (x * z - w * y)
    R[2, 1] = 2 * (y * z + w * x)
    R[2, 2] = 1 - 2 * (x * x + y * y)


@kernel
def chain(X_AB: Floats, X_BC: Floats, X_AC: Floats) -> None:
    """X_AC = X_AB X_BC for 3x4 poses; X_AC must not be one of the factors."""
    for i in range(3):
        for j in range(4):
            total = X_AB[i, 3] if j == 3 else 0.0
            for k in range(3):
                total += X_AB[i, k] * X_BC[k, j]
            X_AC[i, j] = total


@kernel
def revolve_twist(X: Floats, axis: Floats, twist: Floats) -> None:
    """Twist at the world's origin of a unit rotation about `axis` through the origin of X."""
    for i in range(3):
        twist[i] = X[i, 0] * axis[0] + X[i, 1] * axis[1] + X[i, 2] * axis[2]
    cross(X[:, 3], twist[:3], twist[3:])


@kernel
def slide_twist(X: Floats, axis: Floats, twist: Floats) -> None:
    """Twist of a unit translation along `axis` of X."""
    for i in range(3):
        twist[i] = 0.0
        twist[3 + i] = X[i, 0] * axis[0] + X[i, 1] * axis[1] + X[i, 2] * axis[2]


@kernel
def cross(a: Floats, b: Floats, out: Floats) -> None:
    """Out = a x b."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0] = x
    out[1] = y
    out[2] = z


@kernel
def place(
    tree_i: Ints, tree_f: Floats, q_in: Floats, X_work: Floats, X_out: Floats, twists_out: Floats
) -> None:
    """World pose of every body and world twist of every velocity.

    Outputs: X_out (nbody, 3, 4); twists_out (nv, 6), angular first, taken at the world's origin.
    """
    unit = X_work[3]
    X_WJ, motion, X_WM = X_work[0], X_work[1], X_work[2]
    for body in range(tree_i.shape[0]):
        parent, code, iq, iv = tree_i[body, 0], tree_i[body, 1], tree_i[body, 2], tree_i[body, 3]
        X_PJ = tree_f[body, :12].reshape(3, 4)
        X_JL = tree_f[body, 12:24].reshape(3, 4)
        axis, axis2 = tree_f[body, 24:27], tree_f[body, 27:30]
        if parent < 0:
            X_out[body] = X_JL
            continue
        chain(X_out[parent], X_PJ, X_WJ)
        motion[:] = 0.0
        for i in range(3):
            motion[i, i] = 1.0
        if code == REVOLUTE:
            turn(axis, q_in[iq], motion)
            revolve_twist(X_WJ, axis, twists_out[iv])
        elif code == PRISMATIC:
            for i in range(3):
                motion[i, 3] = axis[i] * q_in[iq]
            slide_twist(X_WJ, axis, twists_out[iv])
        elif code == UNIVERSAL:
            revolve_twist(X_WJ, axis, twists_out[iv])
            turn(axis, q_in[iq], motion)
            chain(X_WJ, motion, X_WM)
            revolve_twist(X_WM, axis2, twists_out[iv + 1])
            X_WJ[:] = X_WM
            turn(axis2, q_in[iq + 1], motion)
        elif code == SPHERICAL:
            turn_quaternion(q_in[iq : iq + 4], motion)
        elif code == FREE:
            turn_quaternion(q_in[iq : iq + 4], motion)
            motion[:, 3] = q_in[iq + 4 : iq + 7]
        chain(X_WJ, motion, X_WM)
        if code in (SPHERICAL, FREE):
            for k in range(3):
                unit[:] = 0.0
                unit[0, k] = 1.0
                revolve_twist(X_WM, unit[0], twists_out[iv + k])
                if code == FREE:
                    slide_twist(X_WJ, unit[0], twists_out[iv + 3 + k])
        chain(X_WM, X_JL, X_out[body])


@batch_kernel
def place_links(
    tree_i: Ints,
    tree_f: Floats,
    q_in: Floats,
    bodies_in: Ints,
    X_WB_in: Floats,
    X_work: Floats,
    poses_work: Floats,
    twists_work: Floats,
    X_out: Floats,
) -> None:
    """World poses (n, n_bodies, 4, 4) of chosen bodies for every row of joint positions.

    X_WB_in, (n, 4, 4) or (1, 4, 4), is where the machine of each row stands.
    """
    for row in range(q_in.shape[0]):
        place(tree_i, tree_f, q_in[row], X_work, poses_work, twists_work)
        X_WB = X_WB_in[row if X_WB_in.shape[0] > 1 else 0]
        for k in range(bodies_in.shape[0]):
            chain(X_WB, poses_work[bodies_in[k]], X_out[row, k])
            for j in range(3):
                X_out[row, k, 3, j] = 0.0
            X_out[row, k, 3, 3] = 1.0


@kernel
def step_positions(tree_i: Ints, q_in: Floats, dv_in: Floats, scale: float, q_out: Floats) -> None:
    """q_out = q_in moved by scale * dv_in; quaternions turn in their own body and stay unit."""
    for body in range(tree_i.shape[0]):
        code, iq, iv = tree_i[body, 1], tree_i[body, 2], tree_i[body, 3]
        if code in (REVOLUTE, PRISMATIC):
            q_out[iq] = q_in[iq] + scale * dv_in[iv]
        elif code == UNIVERSAL:
            q_out[iq] = q_in[iq] + scale * dv_in[iv]
            q_out[iq + 1] = q_in[iq + 1] + scale * dv_in[iv + 1]
        elif code in (SPHERICAL, FREE):
            x, y, z = scale * dv_in[iv], scale * dv_in[iv + 1], scale * dv_in[iv + 2]
            angle = math.sqrt(x * x + y * y + z * z)
            half = 0.5 * math.sin(0.5 * angle) / (0.5 * angle) if angle > 1e-12 else 0.5
            a, b, c, d = math.cos(0.5 * angle), half * x, half * y, half * z
            w, i, j, k = q_in[iq], q_in[iq + 1], q_in[iq + 2], q_in[iq + 3]
            q_out[iq] = w * a - i * b - j * c - k * d
            q_out[iq + 1] = w * b + i * a + j * d - k * c
            q_out[iq + 2] = w * c - i * d + j * a + k * b
            q_out[iq + 3] = w * d + i * c - j * b + k * a
            norm = math.sqrt(
                q_out[iq] ** 2 + q_out[iq + 1] ** 2 + q_out[iq + 2] ** 2 + q_out[iq + 3] ** 2
            )
            for m in range(4):
                q_out[iq + m] /= norm
            if code == FREE:
                for m in range(3):
                    q_out[iq + 4 + m] = q_in[iq + 4 + m] + scale * dv_in[iv + 3 + m]


@kernel
def point_in_world(X: Floats, p: Floats, out: Floats) -> None:
    """Out = X p for a point."""
    for i in range(3):
        out[i] = X[i, 0] * p[0] + X[i, 1] * p[1] + X[i, 2] * p[2] + X[i, 3]


@kernel
def vector_in_world(X: Floats, u: Floats, out: Floats) -> None:
    """Out = R u for a free vector."""
    for i in range(3):
        out[i] = X[i, 0] * u[0] + X[i, 1] * u[1] + X[i, 2] * u[2]


@kernel
def rows_of(kind: int) -> int:
    """How many equations a constraint has."""
    if kind in (POINT, PARALLEL, ALIGNED):
        return 3
    return 1


@kernel
def residuals(
    con_i: Ints,
    con_f: Floats,
    target_in: Floats,
    active_in: Ints,
    q_in: Floats,
    X_in: Floats,
    vectors_work: Floats,
    r_out: Floats,
) -> int:
    """Left-hand sides of the active constraints, stacked in r_out; returns their number."""
    pA, pB, uA, uB = vectors_work[0], vectors_work[1], vectors_work[2], vectors_work[3]
    row = 0
    for c in active_in:
        kind, A, B = con_i[c, 0], con_i[c, 1], con_i[c, 2]
        if kind == RATIO:
            r_out[row] = q_in[A] - con_f[c, 0] * q_in[B] - target_in[c]
            row += 1
            continue
        point_in_world(X_in[A], con_f[c, 0:3], pA)
        point_in_world(X_in[B], con_f[c, 3:6], pB)
        vector_in_world(X_in[A], con_f[c, 6:9], uA)
        vector_in_world(X_in[B], con_f[c, 9:12], uB)
        if kind == POINT:
            for i in range(3):
                r_out[row + i] = pB[i] - pA[i]
        elif kind == PARALLEL:
            cross(uA, uB, r_out[row : row + 3])
        elif kind == ALIGNED:
            for i in range(3):
                r_out[row + i] = uB[i] - uA[i]
        elif kind == LENGTH:
            d2 = 0.0
            for i in range(3):
                d2 += (pB[i] - pA[i]) ** 2
            r_out[row] = math.sqrt(d2) - target_in[c]
        elif kind == OFFSET:
            r_out[row] = 0.0
            for i in range(3):
                r_out[row] += uA[i] * (pB[i] - pA[i])
        elif kind == PERPENDICULAR:
            r_out[row] = uA[0] * uB[0] + uA[1] * uB[1] + uA[2] * uB[2]
        row += rows_of(kind)
    return row


@kernel
def jacobian(
    moves: Bytes,
    con_i: Ints,
    con_f: Floats,
    active_in: Ints,
    dofs_in: Ints,
    X_in: Floats,
    twists_in: Floats,
    vectors_work: Floats,
    J_out: Floats,
) -> int:
    """Derivative of `residuals` with respect to the velocities `dofs_in`, (rows, ndof)."""
    pA, pB, uA, uB = vectors_work[0], vectors_work[1], vectors_work[2], vectors_work[3]
    dpA, dpB, duA, duB = vectors_work[4], vectors_work[5], vectors_work[6], vectors_work[7]
    d, t1, t2 = vectors_work[8], vectors_work[9], vectors_work[10]
    row = 0
    for c in active_in:
        kind, A, B = con_i[c, 0], con_i[c, 1], con_i[c, 2]
        if kind == RATIO:
            for k in range(dofs_in.shape[0]):
                v = dofs_in[k]
                J_out[row, k] = 0.0
                if v == con_i[c, 3]:
                    J_out[row, k] = 1.0
                elif v == int(con_f[c, 1]):
                    J_out[row, k] = -con_f[c, 0]
            row += 1
            continue
        point_in_world(X_in[A], con_f[c, 0:3], pA)
        point_in_world(X_in[B], con_f[c, 3:6], pB)
        vector_in_world(X_in[A], con_f[c, 6:9], uA)
        vector_in_world(X_in[B], con_f[c, 9:12], uB)
        d2 = 0.0
        for i in range(3):
            d[i] = pB[i] - pA[i]
            d2 += d[i] * d[i]
        length = math.sqrt(d2)
        for k in range(dofs_in.shape[0]):
            v = dofs_in[k]
            twist = twists_in[v]
            dpA[:] = 0.0
            dpB[:] = 0.0
            duA[:] = 0.0
            duB[:] = 0.0
            if moves[A, v]:
                cross(twist[:3], pA, dpA)
                dpA += twist[3:]
                cross(twist[:3], uA, duA)
            if moves[B, v]:
                cross(twist[:3], pB, dpB)
                dpB += twist[3:]
                cross(twist[:3], uB, duB)
            if kind == POINT:
                for i in range(3):
                    J_out[row + i, k] = dpB[i] - dpA[i]
            elif kind == PARALLEL:
                cross(duA, uB, t1)
                cross(uA, duB, t2)
                for i in range(3):
                    J_out[row + i, k] = t1[i] + t2[i]
            elif kind == ALIGNED:
                for i in range(3):
                    J_out[row + i, k] = duB[i] - duA[i]
            elif kind == LENGTH:
                J_out[row, k] = 0.0
                if length > 0.0:
                    for i in range(3):
                        J_out[row, k] += d[i] * (dpB[i] - dpA[i]) / length
            elif kind == OFFSET:
                J_out[row, k] = 0.0
                for i in range(3):
                    J_out[row, k] += duA[i] * d[i] + uA[i] * (dpB[i] - dpA[i])
            elif kind == PERPENDICULAR:
                J_out[row, k] = 0.0
                for i in range(3):
                    J_out[row, k] += duA[i] * uB[i] + uA[i] * duB[i]
        row += rows_of(kind)
    return row


@kernel
def cholesky_solve(A: Floats, b: Floats, n: int) -> bool:
    """Solve A x = b in place (A symmetric positive definite, x in b); False if it is not."""
    for j in range(n):
        total = A[j, j]
        for k in range(j):
            total -= A[j, k] * A[j, k]
        if not total > 0.0:
            return False
        A[j, j] = math.sqrt(total)
        for i in range(j + 1, n):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            A[i, j] = total / A[j, j]
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= A[i, k] * b[k]
        b[i] = total / A[i, i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= A[k, i] * b[k]
        b[i] = total / A[i, i]
    return True


@kernel
def work_size(nbody: int, nq: int, nv: int, ncon: int) -> int:
    """Doubles of scratch memory that `solve` and `follow` need."""
    return solve_size(nbody, nq, nv, ncon) + 6 * ncon * nv + nv * nv


@kernel
def solve_size(nbody: int, nq: int, nv: int, ncon: int) -> int:
    """Doubles of scratch memory that `solve` alone needs."""
    rows = 3 * ncon
    return 12 * nbody + 6 * nv + 48 + 36 + 2 * rows + rows * nv + nv * nv + 3 * nv + 3 * nq


@kernel
def solve(
    tree_i: Ints,
    tree_f: Floats,
    moves: Bytes,
    con_i: Ints,
    con_f: Floats,
    target_in: Floats,
    active_in: Ints,
    dofs_in: Ints,
    q_in: Floats,
    tolerance: float,
    max_steps: int,
    work: Floats,
    q_out: Floats,
) -> tuple[int, float, int]:
    """Levenberg-Marquardt from q_in on the active constraints over the velocities `dofs_in`.

    Minimises |r|^2. Each step solves (J^T J + mu 1) dv = -J^T r with
    mu = d (damping min(1, |r|^2) + 1e-15), d the largest diagonal of this step's J^T J. `damping`
    falls by 5 after a good step and grows by 10 after one that does not lessen |r|, which is not
    taken. So mu falls to nothing as the residual does, and the end is Gauss-Newton's: quadratic
    where the solution is isolated, and of least norm where it is not. No step turns a joint by
    more than 0.6 rad, so that no solution is jumped over. Below `tolerance`, two more steps
    without damping. Returns (status, largest |r|, steps).
    """
    nbody, nv, nq, n = tree_i.shape[0], moves.shape[1], q_in.shape[0], dofs_in.shape[0]
    rows = 3 * con_i.shape[0]
    at = 0
    X = work[at : at + 12 * nbody].reshape(nbody, 3, 4)
    at += 12 * nbody
    twists = work[at : at + 6 * nv].reshape(nv, 6)
    at += 6 * nv
    X_work = work[at : at + 48].reshape(4, 3, 4)
    at += 48
    vectors = work[at : at + 36].reshape(12, 3)
    at += 36
    r = work[at : at + rows]
    at += rows
    r_trial = work[at : at + rows]
    at += rows
    J = work[at : at + rows * n].reshape(rows, n)
    at += rows * nv
    A = work[at : at + n * n].reshape(n, n)
    at += nv * nv
    g = work[at : at + n]
    at += nv
    dv = work[at : at + nv]
    at += 2 * nv
    q_trial = work[at : at + nq]

    q_out[:] = q_in
    place(tree_i, tree_f, q_out, X_work, X, twists)
    m = residuals(con_i, con_f, target_in, active_in, q_out, X, vectors, r)
    cost, worst = 0.0, 0.0
    for i in range(m):
        cost += r[i] * r[i]
        worst = max(worst, abs(r[i]))
    if not math.isfinite(cost):
        return STALLED, worst, 0
    damping = 1e-3
    polished = 0
    for step in range(max_steps):
        if worst < tolerance:
            # two more steps cost little and take the residual to the end of the doubles
            if polished == 2 or worst == 0.0:
                return SOLVED, worst, step
            polished += 1
            damping = 0.0
        jacobian(moves, con_i, con_f, active_in, dofs_in, X, twists, vectors, J)
        largest = 0.0
        for a in range(n):
            for b in range(a + 1):
                total = 0.0
                for i in range(m):
                    total += J[i, a] * J[i, b]
                A[a, b] = total
            largest = max(largest, A[a, a])
            total = 0.0
            for i in range(m):
                total += J[i, a] * r[i]
            g[a] = -total
        mu = largest * (damping * min(1.0, cost) + 1e-15) + 1e-300
        for a in range(n):
            A[a, a] += mu
        if not cholesky_solve(A, g, n):
            damping = max(10.0 * damping, 1e-6)
            if damping > 1e12:
                return (SOLVED if worst < tolerance else STALLED), worst, step
            continue
        dv[:] = 0.0
        biggest = 0.0
        for a in range(n):
            dv[dofs_in[a]] = g[a]
            biggest = max(biggest, abs(g[a]))
        scale = min(1.0, 0.6 / biggest) if biggest > 0.0 else 1.0
        step_positions(tree_i, q_out, dv, scale, q_trial)
        place(tree_i, tree_f, q_trial, X_work, X, twists)
        residuals(con_i, con_f, target_in, active_in, q_trial, X, vectors, r_trial)
        trial_cost, trial_worst = 0.0, 0.0
        for i in range(m):
            trial_cost += r_trial[i] * r_trial[i]
            trial_worst = max(trial_worst, abs(r_trial[i]))
        if trial_cost < cost:
            gain = (cost - trial_cost) / cost
            q_out[:] = q_trial
            r[:m] = r_trial[:m]
            cost, worst = trial_cost, trial_worst
            damping = damping * 0.2 if gain > 0.5 else damping
            if gain < 1e-10 and worst >= tolerance:
                return STALLED, worst, step
        else:
            place(tree_i, tree_f, q_out, X_work, X, twists)
            if worst < tolerance:
                return SOLVED, worst, step
            damping = max(10.0 * damping, 1e-6)
            if damping * min(1.0, cost) > 1e8:
                return STALLED, worst, step
    return (SOLVED if worst < tolerance else OUT_OF_STEPS), worst, max_steps


@kernel
def ends_alike(
    tree_i: Ints,
    tree_f: Floats,
    moves: Bytes,
    con_i: Ints,
    con_f: Floats,
    start_in: Floats,
    target_in: Floats,
    active_in: Ints,
    dofs_in: Ints,
    q_in: Floats,
    q_end_in: Floats,
    done: float,
    part: float,
    tolerance: float,
    work: Floats,
    target_work: Floats,
    half_work: Floats,
    end_work: Floats,
) -> bool:
    """Whether a part of the way, solved in two halves from `q_in`, ends at `q_end_in` too."""
    for c in range(target_in.shape[0]):
        target_work[c] = start_in[c] + (done + 0.5 * part) * (target_in[c] - start_in[c])
    status, _, _ = solve(
        tree_i, tree_f, moves, con_i, con_f, target_work, active_in, dofs_in, q_in,
        tolerance, 30, work, half_work,
    )  # fmt: skip
    if status != SOLVED:
        return False
    for c in range(target_in.shape[0]):
        target_work[c] = start_in[c] + (done + part) * (target_in[c] - start_in[c])
    status, _, _ = solve(
        tree_i, tree_f, moves, con_i, con_f, target_work, active_in, dofs_in, half_work,
        tolerance, 30, work, end_work,
    )  # fmt: skip
    if status != SOLVED:
        return False
    apart = 0.0
    for i in range(q_in.shape[0]):
        apart = max(apart, abs(end_work[i] - q_end_in[i]))
    return apart <= 1e-6


@kernel
def orient(A: Floats, n: int) -> float:
    """Determinant of a matrix, which is changed; partial pivoting."""
    value = 1.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if A[best, k] == 0.0:
            return 0.0
        if best != k:
            value = -value
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        value *= A[k, k]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= factor * A[k, j]
    return value


@kernel
def flips(
    tree_i: Ints,
    tree_f: Floats,
    moves: Bytes,
    con_i: Ints,
    con_f: Floats,
    active_in: Ints,
    dofs_in: Ints,
    q_in: Floats,
    q_end_in: Floats,
    work: Floats,
) -> bool:
    """Whether two poses near to each other are on different sides of a fold.

    J, the constraints' Jacobian with columns made units, has full rank between folds, and changes
    its orientation in each: det(J_1^T J_2), which by Cauchy and Binet is the sum of the products of
    all minors, is positive for poses near to each other on one side, and negative across a fold.
    Columns of joints that no constraint knows do not count; where there are free motions left, the
    determinant is nothing and tells nothing.
    """
    nbody, nv, nq, n = tree_i.shape[0], moves.shape[1], q_in.shape[0], dofs_in.shape[0]
    rows = 3 * con_i.shape[0]
    at = 0
    X = work[at : at + 12 * nbody].reshape(nbody, 3, 4)
    at += 12 * nbody
    twists = work[at : at + 6 * nv].reshape(nv, 6)
    at += 6 * nv
    X_work = work[at : at + 48].reshape(4, 3, 4)
    at += 48
    vectors = work[at : at + 36].reshape(12, 3)
    at = solve_size(nbody, nq, nv, con_i.shape[0])
    J1 = work[at : at + rows * n].reshape(rows, n)
    at += rows * nv
    J2 = work[at : at + rows * n].reshape(rows, n)
    at += rows * nv
    A = work[at : at + n * n].reshape(n, n)
    place(tree_i, tree_f, q_in, X_work, X, twists)
    m = jacobian(moves, con_i, con_f, active_in, dofs_in, X, twists, vectors, J1)
    place(tree_i, tree_f, q_end_in, X_work, X, twists)
    jacobian(moves, con_i, con_f, active_in, dofs_in, X, twists, vectors, J2)
    for a in range(n):
        size1, size2 = 0.0, 0.0
        for i in range(m):
            size1 += J1[i, a] * J1[i, a]
            size2 += J2[i, a] * J2[i, a]
        for i in range(m):
            J1[i, a] = J1[i, a] / math.sqrt(size1) if size1 > 0.0 else 0.0
            J2[i, a] = J2[i, a] / math.sqrt(size2) if size2 > 0.0 else 0.0
    for a in range(n):
        counts = False
        for b in range(n):
            total = 0.0
            for i in range(m):
                total += J1[i, a] * J2[i, b]
            A[a, b] = total
            counts = counts or total != 0.0
        if not counts:
            A[a, a] = 1.0
    return orient(A, n) < -FOLDED


@kernel
def follow(
    tree_i: Ints,
    tree_f: Floats,
    moves: Bytes,
    con_i: Ints,
    con_f: Floats,
    start_in: Floats,
    target_in: Floats,
    active_in: Ints,
    dofs_in: Ints,
    q_in: Floats,
    tolerance: float,
    max_turn: float,
    work: Floats,
    target_work: Floats,
    q_work: Floats,
    q_out: Floats,
) -> tuple[int, float, float]:
    """Straight-line continuation of the targets from `start_in` to `target_in`.

    Every part of the way is solved from the point before it, and taken only if no joint moved by
    more than `max_turn`, the solution lies where the last two points point to, the same part in two
    halves ends in the same place, and no fold lies between the points (`flips`); otherwise it is
    halved. So the end is on the branch of the start, and a way over a fold is refused.
    Returns (status, worst, fraction of the way reached); SINGULAR where the way ends before the
    target.
    """
    nq = q_in.shape[0]
    q_last, q_now, q_next, q_half = q_work[0], q_work[1], q_work[2], q_work[3]
    q_now[:] = q_in
    q_last[:] = q_in
    done, part, part_last = 0.0, 1.0, 0.0
    worst = 0.0
    while done < 1.0:
        part = min(part, 1.0 - done)
        for c in range(target_in.shape[0]):
            target_work[c] = start_in[c] + (done + part) * (target_in[c] - start_in[c])
        if done + part >= 1.0:
            target_work[:] = target_in
        status, worst, _ = solve(
            tree_i, tree_f, moves, con_i, con_f, target_work, active_in, dofs_in, q_now,
            tolerance, 30, work, q_next,
        )  # fmt: skip
        moved, strayed = 0.0, 0.0
        for i in range(nq):
            step = q_next[i] - q_now[i]
            moved = max(moved, abs(step))
            if part_last > 0.0:
                expected = (q_now[i] - q_last[i]) * part / part_last
                strayed = max(strayed, abs(step - expected))
        good = status == SOLVED and moved <= max_turn
        if good and part_last > 0.0:
            good = strayed <= 0.5 * max_turn
        if good:
            good = ends_alike(
                tree_i, tree_f, moves, con_i, con_f, start_in, target_in, active_in, dofs_in,
                q_now, q_next, done, part, tolerance, work, target_work, q_half, q_out,
            )  # fmt: skip
        if good:
            good = not flips(
                tree_i, tree_f, moves, con_i, con_f, active_in, dofs_in, q_now, q_next, work
            )
        if good:
            q_last[:] = q_now
            q_now[:] = q_next
            done += part
            part_last = part
            part *= 2.0
        else:
            part *= 0.5
            if part < 1e-6:
                q_out[:] = q_now
                return SINGULAR, worst, done
    q_out[:] = q_now
    return SOLVED, worst, 1.0


def warm_up() -> None:
    """Compile what `solver` and `compiled` call, with the types they use, and nothing else.

    These are writable, contiguous arrays of float64, int64 and (moves) uint8, here of a
    mechanism of one link and one hinge. Kernels that only kernels call come along.
    """
    tree_i = np.array([[-1, FIXED, 0, 0], [0, REVOLUTE, 0, 0]], dtype=np.int64)
    tree_f = np.zeros((2, 30))
    for start in (0, 12):
        tree_f[:, [start, start + 5, start + 10]] = 1.0
    tree_f[:, 24] = tree_f[:, 28] = 1.0
    moves = np.array([[0], [1]], dtype=np.uint8)
    con_i = np.array([[LENGTH, 0, 1, 0]], dtype=np.int64)
    con_f = np.zeros((1, 12))
    con_f[0, :6] = 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    target = np.array([1.0])
    active, dofs = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    work = np.zeros(work_size(2, 1, 1, 1))
    q_in, q_work, target_work, q_out = np.zeros(1), np.zeros((4, 1)), np.zeros(1), np.zeros(1)
    follow(
        tree_i, tree_f, moves, con_i, con_f, np.array([math.sqrt(2.0)]), target, active, dofs,
        q_in, 1e-10, 0.3, work, target_work, q_work, q_out,
    )  # fmt: skip
    solve(tree_i, tree_f, moves, con_i, con_f, target, active, dofs, q_in, 1e-10, 20, work, q_out)
    X, twists, vectors = np.zeros((2, 3, 4)), np.zeros((1, 6)), np.zeros((12, 3))
    place(tree_i, tree_f, q_in, np.zeros((4, 3, 4)), X, twists)
    place_links(
        tree_i, tree_f, np.zeros((1, 1)), np.zeros(1, dtype=np.int64), np.eye(4)[None],
        np.zeros((4, 3, 4)), X, twists, np.zeros((1, 1, 4, 4)),
    )  # fmt: skip
    residuals(con_i, con_f, target, active, q_in, X, vectors, np.zeros(3))
    jacobian(moves, con_i, con_f, active, dofs, X, twists, vectors, np.zeros((4, 1)))
