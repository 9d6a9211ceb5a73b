import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
// uPlot needs a complete window if it finds one, so it is loaded before the stub.
import 'uplot';
import { expect, test } from 'vitest';
import { stubWindow } from '../../app/testing/window';

test('the rail has a key for each screen, from 1 on, and says which is shown', async () => {
  stubWindow({});
  const { Navigation } = await import('./navigation');
  const { showScreen, useScreen } = await import('./shown-screen');
  const items = [...renderToStaticMarkup(<Navigation />).matchAll(/<button([^>]*)>.*?<span>([^<]*)</g)];
  expect(
    items.map(([, marks = '', name]) => [
      name,
      /aria-keyshortcuts="(\d)"/.exec(marks)?.[1],
      marks.includes('aria-current="page"'),
    ]),
  ).toEqual([
    ['Streams', '1', true],
    ['Experiments', '2', false],
    ['Sessions', '3', false],
    ['Preflight', '4', false],
    ['Fleet', '5', false],
    ['NMOS', '6', false],
    ['Settings', '7', false],
    ['About', '8', false],
  ]);
  showScreen('about');
  expect(useScreen.getState().shown).toBe('about');
});

test('pages name the key of a screen as the rail has it', async () => {
  stubWindow({});
  const { screens } = await import('./screens');
  const keys = new Map<string, string>(screens.map(({ id }, index) => [id, String(index + 1)]));
  const pages = ['README.md', 'docs/guide.md', 'docs/fleet.md', 'docs/nmos.md'];
  const named = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/(\w+)\*{0,2} \(`(\d)`\)/g)]);
  for (const [words, name = '', key] of named) expect(key, words).toBe(keys.get(name.toLowerCase()));
  const screensNamed = new Set(named.map(([, name = '']) => name.toLowerCase()));
  expect([...keys.keys()].filter((id) => !screensNamed.has(id))).toEqual(['about']);
});

test.each([
  ['Electron', {}, 'SettingsScreen'],
  ['a browser', undefined, 'ServedSettings'],
])('in %s the settings are those of its process', async (_, whiteline, name) => {
  stubWindow(whiteline);
  const { screens } = await import('./screens');
  const { ChartBoard } = await import('../charts/chart-board');
  const { LoadHistory } = await import('../engine/load-history');
  const shown = screens.find(({ id }) => id === 'settings')?.render(new ChartBoard(new LoadHistory(), true));
  expect(shown).toHaveProperty('type.name', name);
});
