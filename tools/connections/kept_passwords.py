"""Passwords of connections in the keyring of the system, if the extra `keyring` is installed."""

__all__ = ["password_in_keyring"]

SERVICE = "tablerag"


def password_in_keyring(name: str) -> str:
    """Return the password of a connection, kept for the service "tablerag" and the user NAME; "" without one.

    A machine without the extra, or without a keyring that can be read, has none.
    """
    try:
        import keyring  # pyright: ignore[reportMissingImports]
        from keyring.errors import KeyringError  # pyright: ignore[reportMissingImports]
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except (KeyringError, RuntimeError):  # no backend, or locked: the server then asks for the password
        return ""
