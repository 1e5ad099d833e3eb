"""Label of a metric in figures of tuning."""

from ...case.sentences import name_of, unit_of


def metric_label(key: str) -> str:
    """Return the label of a metric, with its unit.

    key: name of the metric, which may end with " in mode ..".

    Examples
    --------
    >>> metric_label("delay_margin_s"), metric_label("ape_budget_deg"), metric_label("disk_margin_all")
    ('delay margin (s)', 'APE budget (deg)', 'disk margin all')
    >>> metric_label("delay_margin_s in mode fine")
    'delay margin in mode fine (s)'
    """
    metric, within, mode = key.partition(" in mode ")
    unit = unit_of(metric)
    first, *rest = name_of(metric).split("_")
    words = " ".join([first.upper() if rest[:1] == ["budget"] else first, *rest])
    return f"{words}{within}{mode}{f' ({unit})' if unit else ''}"
