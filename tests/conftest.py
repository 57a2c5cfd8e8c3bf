import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("certify", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("certify")


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run what takes minutes")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        wait = pytest.mark.skip(reason="slow: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(wait)
