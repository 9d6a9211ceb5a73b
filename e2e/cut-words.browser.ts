import { expect, test } from '@playwright/test';
import { cutWords } from './cut-words';

const words = 'Words that need more room than there is';
const narrow = 'width: 100px; white-space: nowrap; overflow: hidden;';
const dots = `${narrow} text-overflow: ellipsis;`;
const full = '<b style="flex: none">what fills all of the room beside it, up to the edge</b>';

const cases: [string, string, RegExp | null][] = [
  ['words that fit', `<p>${words}</p>`, null],
  [
    'cut off without an ellipsis',
    `<p style="${narrow}" title="${words}">${words}</p>`,
    /no room for its words/,
  ],
  ['an ellipsis without a tooltip', `<p style="${dots}">${words}</p>`, /no room for its words/],
  ['room beside an ellipsis', `<p style="${dots}" title="${words}">${words}</p>`, /px are free beside it/],
  [
    'no room beside it',
    `<div style="display: flex; width: 400px; overflow: auto"><p style="${dots} flex: none" title="${words}">${words}</p>${full}</div>`,
    null,
  ],
  ['a figure', `<p style="${dots}" title="1"><b data-metric="x">1,234,567,890,123,456</b></p>`, /no room/],
  [
    'cut off in height by what holds its holder',
    `<div style="height: 20px; overflow: hidden"><div><p>${words}</p><p>the second line</p></div></div>`,
    /the second line.* is cut off in height/,
  ],
  [
    'what scrolls',
    `<div style="height: 20px; overflow: auto"><p>${words}</p><p>the second line</p></div>`,
    null,
  ],
  ['a hint that is cut', `<input style="width: 60px" placeholder="${words}">`, /hint .* has no room/],
  ['a hint that fits', `<input style="width: 600px" placeholder="${words}">`, null],
];

test('words that are cut are found, and no others', async ({ page }) => {
  for (const [name, markup, expected] of cases) {
    await page.setContent(`<style>p { margin: 0 }</style>${markup}`);
    const found = await cutWords(page);
    if (expected === null) expect(found, name).toEqual([]);
    else expect(found, name).toEqual([expect.stringMatching(expected)]);
  }
});
