"""Strings from a case, a program or a user, escaped for C, FPP, CMake, Markdown, XML and HTML.

One function per format. A character that the format does not allow is written as its hexadecimal code (`\\x1b`), which
is visible and has no effect.
"""

import html
import re
from xml.etree.ElementTree import Element, indent, tostring

from ...plant.plain_text import code_of, plain_line

_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_COMMENT = re.compile(r"(?<=\*)/|(?<=/)\*|(?<=\?)\?|\\")
_IN_MARKDOWN = re.compile(r"[^\w :,.;/=()'^+-]|_|:(?=/)")
_IN_STRING = re.compile(r'["\\?]')


def c_comment(text: str) -> str:
    """Return text for a C comment: one line without comment delimiters or trigraphs.

    Examples
    --------
    >>> c_comment("safe */ int x;")
    'safe *\\\\x2f int x;'
    """
    # the escape code has a backslash, but never at the end of the line, where it would continue the comment
    return _IN_COMMENT.sub(lambda found: code_of(found[0]), plain_line(text))


def c_string(text: str) -> str:
    """Return text as a C string literal with its quotes: one line of ASCII.

    The text is reduced to one line by `plain_line`. A backslash is written as a slash, also in the code of an
    unprintable character (`/x1b`). Quotation marks are escaped, as are question marks, which could form a trigraph.
    Characters outside ASCII are written as the octal bytes of their UTF-8 encoding.

    Examples
    --------
    >>> c_string('a "b"')
    '"a \\\\"b\\\\""'
    >>> c_string("a\\\\b \\x1b é??/")
    '"a/b /x1b \\\\303\\\\251\\\\?\\\\?/"'
    """
    held = _IN_STRING.sub(lambda found: f"\\{found[0]}", plain_line(text).replace("\\", "/"))
    return '"' + "".join(each if ord(each) < 128 else _octal(each) for each in held) + '"'


def line_comment(text: str) -> str:
    """Return text for a comment that extends to the end of the line, as in FPP and CMake: one line of ASCII.

    A backslash is written as a slash, also in an escape code, since a backslash at the end would continue the line.

    Examples
    --------
    >>> line_comment("é\\nb \\\\")
    '/xe9 b /'
    """
    return "".join(each if ord(each) < 128 else code_of(each) for each in plain_line(text)).replace("\\", "/")


def markdown_text(text: str) -> str:
    """Return text for a line or table cell of Markdown, with markup written as character references.

    The text must not begin a line: a number with a full stop, or a dash, would begin a list there.

    Examples
    --------
    >>> markdown_text("<b> | [a](b)")
    '&#60;b&#62; &#124; &#91;a&#93;(b)'
    """
    return _IN_MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", plain_line(text))


def xml_text(text: str) -> str:
    """Return text without characters that XML forbids even when escaped; the caller escapes its markup.

    Examples
    --------
    >>> xml_text("a\\x00<b>")
    'a\\\\x00<b>'
    """
    return _XML.sub(lambda found: code_of(found[0]), text)


def xml_document(root: Element) -> bytes:
    """Return an indented XML document; its elements may hold any text."""
    for each in root.iter():
        each.attrib.update({key: xml_text(value) for key, value in each.attrib.items()})
        each.text = None if each.text is None else xml_text(each.text)
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def html_text(text: str) -> str:
    """Return text for the content or a quoted attribute of HTML.

    Examples
    --------
    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return html.escape(xml_text(text), quote=True)


def _octal(letter: str) -> str:
    """Return a character's bytes as three octal digits each; C's hexadecimal codes have no fixed length."""
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "replace"))
