"""The contractor graph that a user may look at: what reads what, by the names of the question."""

import certify


def edges(graph):
    return {frozenset(edge) for edge in graph.edges}


def test_the_graph_of_a_system_has_its_variables_and_who_reads_them():
    graph = certify.contractor_graph(certify.system({"x": (0, 1), "slicing": (0, 1)}, ["x^2 = slicing", "x = 1/3"]))
    kinds = dict(graph.nodes(data="bipartite"))
    assert {name for name, kind in kinds.items() if kind == 0} == {"x", "slicing"}
    assert {"hull consistency", "linear hull", "slicing (contractor)"} <= {name for name, kind in kinds.items() if kind}
    assert {frozenset(("linear hull", name)) for name in ("x", "slicing")} <= edges(graph)
    assert frozenset(("slicing (contractor)", "hull consistency")) in edges(graph)


def test_the_graph_of_a_problem_falls_into_its_parts(two_legs):
    import networkx as nx

    graph = certify.contractor_graph(two_legs)
    assert nx.number_connected_components(graph) == 2
    for part in nx.connected_components(graph):
        contractors = {name for name in part if graph.nodes[name]["bipartite"]}
        (leg,) = {name.partition(":")[0] for name in contractors}
        assert f"{leg}: forward-backward" in contractors
        assert {name.partition(".")[0] for name in part - contractors} == {leg}
