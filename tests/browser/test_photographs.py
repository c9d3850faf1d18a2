"""A photograph shows a live picture as its script opens it."""

import base64
import io
from contextlib import nullcontext

from nbformat.v4 import new_output
from PIL import Image

import photographs
from compare_outputs import PHOTOGRAPH
from photographs import LIVE, add_photographs

BAR = (  # 81 pixels wide where a point has two
    '<div class="attn-scroll"><svg width="60" height="20" style="display:block">'
    '<rect width="40.5" height="20" fill="#0072B2"/></svg></div>'
)
SLIDER = '<input type="range" style="width:200px"><fieldset><input type="radio"> a choice</fieldset>'
BUTTONS = '<p class="attn-controls"><button>start</button></p>'
SHORT = "<style>.attn-scroll { max-height: 9px; overflow: auto; }</style>"
PAGE = (
    f'{LIVE} aria-label="A &quot;bar&quot;"><div class="attn-body"><table></table></div></div>{SHORT}'
    f"<script>document.querySelector('.attn-body').innerHTML = '{BAR}{SLIDER}{BUTTONS}';</script>"
)


def test_a_photograph_shows_what_the_script_draws_without_what_only_moves_it(browser, monkeypatch):
    monkeypatch.setattr(photographs, "running_browser", lambda path: nullcontext(browser))  # there can be but one
    output = new_output("display_data", {"text/html": PAGE, "text/plain": "bar: 1 < 2"})
    add_photographs([output])
    page = output.data["text/html"]
    element = PHOTOGRAPH.search(page)[0]
    assert page == PAGE.replace("<table>", f"{element}<table>")
    assert 'alt="A &quot;bar&quot;: 1 &lt; 2" width="41"' in element
    image = Image.open(io.BytesIO(base64.b64decode(element.partition("base64,")[2].partition('"')[0]))).convert("RGB")
    assert image.width == 82 and image.crop((0, 0, 81, 40)).getcolors() == [(81 * 40, (0, 0x72, 0xB2))]
    assert {color for _, color in image.crop((0, 40, *image.size)).getcolors()} <= {(255, 255, 255)}
