#!/usr/bin/env python3
"""scikit-learn's k-means on points of a .npy file, as JSON: what bench/table.py puts beside ours.

    python3 bench/kmeans.py POINTS.npy STARTS THREADS ROUNDS

Times are of the processor. Seeds are drawn and improved apart, so that an iteration can be told from them. Every round has
seeds of its own: the one with the least time counts, but of inertia the mean, since what one start ends with is a matter of
luck. Ends with status 3 where scikit-learn is not installed.
"""
import json
import sys
import time
import warnings

try:
    import numpy as np
    from sklearn.cluster import KMeans, kmeans_plusplus
    from threadpoolctl import threadpool_limits
except ImportError:
    print("scikit-learn is not installed for this Python: our times alone are shown", file=sys.stderr)
    sys.exit(3)

CLUSTERS = 20
warnings.filterwarnings("ignore")  # that 300 iterations were not enough
points = np.load(sys.argv[1])
starts, threads, rounds = map(int, sys.argv[2:5])
best, inertias = None, []
with threadpool_limits(threads):
    for turn in range(rounds):
        seeding = improving = iterations = 0
        inertia = float("inf")
        for start in range(turn * starts, (turn + 1) * starts):
            begin = time.process_time()
            seeds, _ = kmeans_plusplus(points, CLUSTERS, random_state=start)
            seeding += time.process_time() - begin
            begin = time.process_time()
            model = KMeans(CLUSTERS, init=seeds, n_init=1).fit(points)
            improving += time.process_time() - begin
            iterations += model.n_iter_
            inertia = min(inertia, float(model.inertia_))
        inertias.append(inertia)
        if best is None or seeding + improving < best["seconds"]:
            best = {"seconds": seeding + improving, "seeding": seeding, "iterations": iterations,
                    "iteration": improving / iterations}
print(json.dumps({**best, "inertia": sum(inertias) / rounds}))
