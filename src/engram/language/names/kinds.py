"""What sorts of things bear names."""

from enum import StrEnum


class EntityType(StrEnum):
    """What sort of thing a name belongs to."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PROJECT = "project"
    TECHNOLOGY = "technology"
    FILE = "file"
    SERVICE = "service"
    PLACE = "place"
    CONCEPT = "concept"
    UNKNOWN = "unknown"
