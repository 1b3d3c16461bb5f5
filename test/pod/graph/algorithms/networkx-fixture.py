"""Makes networkx.fixture.json: every kernel's result on small graphs, as NetworkX computes it.

    pip install networkx numpy scipy && python3 networkx-fixture.py > networkx.fixture.json

Graphs have nodes 0..n-1. Values are lists by node; groups are numbered by falling size, then smallest node.
"""
import json
import math
import random
import sys
import networkx as nx


def weighted(graph, seed):
    draw = random.Random(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = draw.randint(1, 9) / 2
    return graph


def sorted_nodes(graph):
    """Insertion order is the order of the numbers, for nodes and for neighbours."""
    made = type(graph)()
    made.add_nodes_from(range(len(graph)))
    edges = graph.edges if graph.is_directed() else [tuple(sorted(e)) for e in graph.edges]
    made.add_edges_from((u, v, graph[u][v]) for u, v in sorted(edges))
    return made


def scattered():
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (5, 6), (7, 7), (2, 2)])
    graph.add_nodes_from(range(9))
    return graph


def looped():
    graph = nx.gnp_random_graph(18, 0.16, seed=5, directed=True)
    graph.add_edges_from([(0, 0), (7, 7)])
    return graph


def edgeless(count, kind=nx.Graph):
    graph = kind()
    graph.add_nodes_from(range(count))
    return graph


GRAPHS = {
    "karate": nx.karate_club_graph(),
    "weighted": weighted(nx.gnp_random_graph(24, 0.2, seed=3), 1),
    "scattered": scattered(),
    "path": nx.path_graph(6),
    "barbell": nx.barbell_graph(5, 2),
    "edgeless": edgeless(3),
    "single": edgeless(1),
    "empty": edgeless(0),
    "directed": weighted(nx.gnp_random_graph(20, 0.25, seed=11, directed=True), 2),
    "looped": looped(),
    "dag": nx.DiGraph([(0, 2), (1, 2), (2, 3), (1, 4), (3, 5), (4, 5), (0, 5)]),
    "edgeless_directed": edgeless(2, nx.DiGraph),
}
GRAPHS = {name: sorted_nodes(graph) for name, graph in GRAPHS.items()}


def parallel(kind, seed):
    """A connected multigraph with parallel edges, edges in both directions and self-loops."""
    draw = random.Random(seed)
    graph = kind()
    graph.add_nodes_from(range(12))
    pairs = [(n, (n + 1) % 12) for n in range(12)] + [(draw.randrange(12), draw.randrange(12)) for _ in range(18)]
    for u, v in pairs + draw.choices(pairs, k=15) + [(v, u) for u, v in draw.choices(pairs, k=8)]:
        graph.add_edge(u, v, weight=draw.randint(1, 9) / 2)
    return graph


GRAPHS["parallel"] = parallel(nx.MultiGraph, 7)
GRAPHS["parallel_directed"] = parallel(nx.MultiDiGraph, 8)


def merged(graph, combine):
    """One edge per pair, for functions that do not take multigraphs."""
    weights = {}
    for u, v, weight in graph.edges(data="weight"):
        weights.setdefault((u, v) if graph.is_directed() else (min(u, v), max(u, v)), []).append(weight)
    made = nx.DiGraph() if graph.is_directed() else nx.Graph()
    made.add_nodes_from(graph)
    made.add_edges_from((u, v, {"weight": combine(found)}) for (u, v), found in sorted(weights.items()))
    return made


def values(compute):
    return lambda g, w: {"values": (lambda found: [found[n] for n in range(len(g))])(compute(g, w))}


def groups(compute):
    def run(g, w):
        ranked = sorted((sorted(part) for part in compute(g, w)), key=lambda part: (-len(part), part[0]))
        number = {node: at for at, part in enumerate(ranked) for node in part}
        return {"values": [number[n] for n in range(len(g))]}
    return run


def scalar(compute):
    return lambda g, w: {"scalar": compute(g, w)}


def edges(compute):
    def run(g, w):
        found = compute(g, w)
        if not g.is_directed():
            found = [(min(u, v), max(u, v), x) for u, v, x in found]
        return {"edges": sorted(found)}
    return run


def scores(compute):
    return lambda g, w: {"scores": sorted(compute(g, w))}


def loopless(g):
    copy = g.copy()
    copy.remove_edges_from(list(nx.selfloop_edges(copy)))
    return copy


def cut_points(g):
    found = set(nx.articulation_points(g))
    return {n: int(n in found) for n in g}


def split(g, levels):
    found = [list(nx.connected_components(g))]
    for parts in nx.community.girvan_newman(g):
        found.append(parts)
    return found[min(levels, len(found) - 1)]


def pairs(function):
    return scores(lambda g, w: [(min(u, v), max(u, v), s) for u, v, s in function(g)])


def common(g):
    return [(u, v, len(nx.common_neighbors(g, u, v))) for u, v in nx.non_edges(g)]


def distances(g, w):
    lengths = nx.all_pairs_dijkstra_path_length(g, weight=w) if w else nx.all_pairs_shortest_path_length(g)
    return [(u, v, d) for u, found in lengths for v, d in found.items()]


def from_zero(g, w):
    found = nx.single_source_dijkstra_path_length(g, 0, weight=w)
    return {n: found.get(n, "Infinity") for n in g}


def reach(g, w, function):
    return function(g, weight=w)


def spanning(function):
    def run(g, w):
        tree = list(function(g, weight=w, data=True, keys=False))
        return [(u, v, data.get("weight", 1) if w else 1) for u, v, data in tree]
    return edges(run)


def edge_betweenness(g, w):
    found = {}
    for (u, v, *_), x in nx.edge_betweenness_centrality(g, weight=w).items():
        pair = (u, v) if g.is_directed() else (min(u, v), max(u, v))
        found[pair] = found.get(pair, 0) + x
    return [(u, v, x) for (u, v), x in found.items()]


def hubs_and_authorities(g, w):
    h, a = nx.hits(g, tol=1e-15, max_iter=5000)
    return {"maps": {"hubs": [h[n] for n in g], "authorities": [a[n] for n in g]}}


U, D, E = "undirected", "directed", "either"
STRICT = {"max_iter": 5000, "tol": 1e-13}
HALVES = [[n for n in range(34) if n % 2 == 0], [n for n in range(34) if n % 2 == 1]]
# name, graphs it is defined on, whether weights mean something, parameters, request ends, NetworkX's result
CASES = [
    ("degree_centrality", E, False, {}, {}, values(lambda g, w: nx.degree_centrality(g))),
    ("weighted_degree", E, True, {}, {}, values(lambda g, w: dict(g.degree(weight=w)))),
    ("in_degree_centrality", D, False, {}, {}, values(lambda g, w: nx.in_degree_centrality(g))),
    ("out_degree_centrality", D, False, {}, {}, values(lambda g, w: nx.out_degree_centrality(g))),
    ("closeness_centrality", E, True, {}, {}, values(lambda g, w: nx.closeness_centrality(g, distance=w))),
    ("closeness_centrality", E, False, {"wf_improved": False}, {},
     values(lambda g, w: nx.closeness_centrality(g, wf_improved=False))),
    ("harmonic_centrality", E, True, {}, {}, values(lambda g, w: nx.harmonic_centrality(g, distance=w))),
    ("betweenness_centrality", E, True, {}, {}, values(lambda g, w: nx.betweenness_centrality(g, weight=w))),
    ("betweenness_centrality", E, False, {"normalized": False}, {},
     values(lambda g, w: nx.betweenness_centrality(g, normalized=False))),
    ("betweenness_centrality", E, False, {"endpoints": True}, {},
     values(lambda g, w: nx.betweenness_centrality(g, endpoints=True))),
    ("edge_betweenness_centrality", E, True, {}, {}, edges(lambda g, w: [
        (u, v, x) for (u, v), x in nx.edge_betweenness_centrality(g, weight=w).items()])),
    ("eigenvector_centrality", E, True, STRICT, {},
     values(lambda g, w: nx.eigenvector_centrality(g, weight=w, **STRICT))),
    ("katz_centrality", E, True, {"alpha": 0.02, **STRICT}, {},
     values(lambda g, w: nx.katz_centrality(g, alpha=0.02, weight=w, **STRICT))),
    ("katz_centrality", E, False, {"alpha": 0.05, "beta": 2, "normalized": False, **STRICT}, {},
     values(lambda g, w: nx.katz_centrality(g, alpha=0.05, beta=2, normalized=False, weight=w, **STRICT))),
    ("pagerank", E, True, STRICT, {}, values(lambda g, w: nx.pagerank(g, weight=w, **STRICT))),
    ("pagerank", E, False, {"alpha": 0.5, **STRICT}, {},
     values(lambda g, w: nx.pagerank(g, alpha=0.5, weight=w, **STRICT))),
    ("triangles", U, False, {}, {}, values(lambda g, w: nx.triangles(g))),
    ("clustering", E, True, {}, {}, values(lambda g, w: nx.clustering(g, weight=w))),
    ("average_clustering", E, True, {}, {}, scalar(lambda g, w: nx.average_clustering(g, weight=w))),
    ("average_clustering", U, False, {"count_zeros": False}, {},
     scalar(lambda g, w: nx.average_clustering(g, count_zeros=False))),
    ("transitivity", U, False, {}, {}, scalar(lambda g, w: nx.transitivity(g))),
    ("core_number", E, False, {}, {}, values(lambda g, w: nx.core_number(loopless(g)))),
    ("connected_components", U, False, {}, {}, groups(lambda g, w: nx.connected_components(g))),
    ("weakly_connected_components", D, False, {}, {}, groups(lambda g, w: nx.weakly_connected_components(g))),
    ("strongly_connected_components", D, False, {}, {}, groups(lambda g, w: nx.strongly_connected_components(g))),
    ("number_connected_components", U, False, {}, {}, scalar(lambda g, w: nx.number_connected_components(g))),
    ("is_connected", U, False, {}, {}, scalar(lambda g, w: nx.is_connected(g))),
    ("label_propagation_communities", U, False, {}, {},
     groups(lambda g, w: nx.community.label_propagation_communities(g))),
    ("girvan_newman", U, False, {"levels": 1}, {}, groups(lambda g, w: split(g, 1))),
    ("girvan_newman", U, False, {"levels": 2}, {}, groups(lambda g, w: split(g, 2))),
    ("bridges", U, False, {}, {}, edges(lambda g, w: [(u, v, 1) for u, v in nx.bridges(g)])),
    ("articulation_points", U, False, {}, {}, values(lambda g, w: cut_points(g))),
    ("shortest_path_length", E, True, {}, {"source": 0, "target": 5},
     scalar(lambda g, w: nx.shortest_path_length(g, 0, 5, weight=w))),
    ("has_path", E, False, {}, {"source": 0, "target": 5}, scalar(lambda g, w: nx.has_path(g, 0, 5))),
    ("single_source_shortest_path_length", E, True, {}, {"source": 0}, values(from_zero)),
    ("all_pairs_shortest_path_length", E, True, {}, {}, scores(distances)),
    ("eccentricity", E, True, {}, {}, values(lambda g, w: nx.eccentricity(g, weight=w))),
    ("diameter", E, True, {}, {}, scalar(lambda g, w: nx.diameter(g, weight=w))),
    ("radius", E, True, {}, {}, scalar(lambda g, w: nx.radius(g, weight=w))),
    ("average_shortest_path_length", E, True, {}, {}, scalar(lambda g, w: nx.average_shortest_path_length(g, weight=w))),
    ("minimum_spanning_tree", U, True, {}, {}, spanning(nx.minimum_spanning_edges)),
    ("maximum_spanning_tree", U, True, {}, {}, spanning(nx.maximum_spanning_edges)),
    ("common_neighbors", U, False, {}, {}, pairs(common)),
    ("jaccard_coefficient", U, False, {}, {}, pairs(nx.jaccard_coefficient)),
    ("adamic_adar_index", U, False, {}, {}, pairs(nx.adamic_adar_index)),
    ("resource_allocation_index", U, False, {}, {}, pairs(nx.resource_allocation_index)),
    ("preferential_attachment", U, False, {}, {}, pairs(nx.preferential_attachment)),
    ("topological_sort", D, False, {}, {}, lambda g, w: {"order": list(nx.topological_sort(g))}),
    ("is_directed_acyclic_graph", D, False, {}, {}, scalar(lambda g, w: nx.is_directed_acyclic_graph(g))),
    ("density", E, False, {}, {}, scalar(lambda g, w: nx.density(g))),
    ("number_of_nodes", E, False, {}, {}, scalar(lambda g, w: g.number_of_nodes())),
    ("number_of_edges", E, False, {}, {}, scalar(lambda g, w: g.number_of_edges())),
    ("degree_assortativity_coefficient", E, False, {}, {},
     scalar(lambda g, w: nx.degree_pearson_correlation_coefficient(g))),
    ("average_neighbor_degree", E, False, {}, {}, values(lambda g, w: nx.average_neighbor_degree(g))),
    ("overall_reciprocity", D, False, {}, {}, scalar(lambda g, w: nx.overall_reciprocity(g))),
    ("is_bipartite", U, False, {}, {}, scalar(lambda g, w: nx.is_bipartite(g))),
]
ONLY = [
    ("karate", "modularity", True, {"communities": HALVES},
     scalar(lambda g, w: nx.community.modularity(g, HALVES, weight=w))),
    ("karate", "modularity", False, {"communities": HALVES, "resolution": 0.5},
     scalar(lambda g, w: nx.community.modularity(g, HALVES, weight=w, resolution=0.5))),
    ("directed", "modularity", True, {"communities": [list(range(9)), list(range(9, 20))]},
     scalar(lambda g, w: nx.community.modularity(g, [range(9), range(9, 20)], weight=w))),
    ("karate", "hits", True, STRICT, hubs_and_authorities),
    ("directed", "hits", True, STRICT, hubs_and_authorities),
]


def on_sums(compute):
    return lambda g, w: compute(merged(g, sum), w)


TWELVE = [list(range(6)), list(range(6, 12))]
# Weighted algorithms on multigraphs: name, graphs, parameters, request ends, NetworkX's result
MULTI = [
    ("weighted_degree", E, {}, {}, values(lambda g, w: dict(g.degree(weight=w)))),
    ("closeness_centrality", E, {}, {}, values(lambda g, w: nx.closeness_centrality(g, distance=w))),
    ("harmonic_centrality", E, {}, {}, values(lambda g, w: nx.harmonic_centrality(g, distance=w))),
    ("betweenness_centrality", E, {}, {}, values(lambda g, w: nx.betweenness_centrality(g, weight=w))),
    ("edge_betweenness_centrality", E, {}, {}, edges(edge_betweenness)),
    ("eigenvector_centrality", E, STRICT, {},
     on_sums(values(lambda g, w: nx.eigenvector_centrality(g, weight=w, **STRICT)))),
    ("katz_centrality", E, {"alpha": 0.01, **STRICT}, {},
     on_sums(values(lambda g, w: nx.katz_centrality(g, alpha=0.01, weight=w, **STRICT)))),
    ("pagerank", E, STRICT, {}, values(lambda g, w: nx.pagerank(g, weight=w, **STRICT))),
    ("hits", E, STRICT, {}, hubs_and_authorities),
    ("clustering", E, {}, {}, on_sums(values(lambda g, w: nx.clustering(g, weight=w)))),
    ("average_clustering", E, {}, {}, on_sums(scalar(lambda g, w: nx.average_clustering(g, weight=w)))),
    ("modularity", E, {"communities": TWELVE}, {},
     scalar(lambda g, w: nx.community.modularity(g, TWELVE, weight=w))),
    ("bridges", U, {}, {}, on_sums(edges(lambda g, w: [(u, v, g[u][v]["weight"]) for u, v in nx.bridges(g)]))),
    ("shortest_path_length", E, {}, {"source": 0, "target": 5},
     scalar(lambda g, w: nx.shortest_path_length(g, 0, 5, weight=w))),
    ("single_source_shortest_path_length", E, {}, {"source": 0}, values(from_zero)),
    ("all_pairs_shortest_path_length", E, {}, {}, scores(distances)),
    ("eccentricity", E, {}, {}, values(lambda g, w: nx.eccentricity(g, weight=w))),
    ("diameter", E, {}, {}, scalar(lambda g, w: nx.diameter(g, weight=w))),
    ("radius", E, {}, {}, scalar(lambda g, w: nx.radius(g, weight=w))),
    ("average_shortest_path_length", E, {}, {}, scalar(lambda g, w: nx.average_shortest_path_length(g, weight=w))),
    ("minimum_spanning_tree", U, {}, {}, spanning(nx.minimum_spanning_edges)),
    ("maximum_spanning_tree", U, {}, {}, spanning(nx.maximum_spanning_edges)),
]


def plain(value):
    """JSON without NaN; booleans and NumPy numbers as they are meant."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bool, int, str)):
        return value
    value = float(value)
    return round(value, 12) if math.isfinite(value) else str(value)


def main():
    made = []

    def add(name, graph, w, parameters, ends, compute):
        try:
            result = plain(compute(GRAPHS[graph], "weight" if w else None))
        except Exception as error:  # what NetworkX refuses is not compared
            print(f"{name} on {graph}: {type(error).__name__}", file=sys.stderr)
            return
        made.append({"algorithm": name, "graph": graph, "weighted": w, "parameters": parameters, **ends, "result": result})

    for name, kind, uses_weights, parameters, ends, compute in CASES:
        for graph, g in GRAPHS.items():
            if g.is_multigraph() or kind == (D if not g.is_directed() else U):
                continue
            add(name, graph, False, parameters, ends, compute)
            if uses_weights and graph in ("karate", "weighted", "directed"):
                add(name, graph, True, parameters, ends, compute)
    for graph, name, w, parameters, compute in ONLY:
        add(name, graph, w, parameters, {}, compute)

    for name, kind, parameters, ends, compute in MULTI:
        for graph in ["parallel", "parallel_directed"]:
            if not (kind == U and GRAPHS[graph].is_directed()):
                add(name, graph, True, parameters, ends, compute)

    graphs = {
        name: {"directed": g.is_directed(), "nodes": len(g), "edges": [[u, v, d.get("weight", 1)] for u, v, d in g.edges(data=True)]}
        for name, g in GRAPHS.items()
    }
    print(f'{{"networkx":{compact(nx.__version__)},')
    print('"graphs":{\n' + ",\n".join(f"{compact(name)}:{compact(graph)}" for name, graph in graphs.items()) + "\n},")
    print('"cases":[\n' + ",\n".join(map(compact, made)) + "\n]}")


def compact(value):
    """One line, so that a change of a case shows as one line."""
    return json.dumps(value, separators=(",", ":"))


main()
