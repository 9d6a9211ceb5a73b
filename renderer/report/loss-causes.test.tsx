import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lossPlaces } from '../../app/protocol/report';
import { texts } from '../texts';
import { LossCauses } from './loss-causes';
import { stageLooks } from './stage-looks';

const themes = ['dark', 'light'].map((name) =>
  readFileSync(new URL(`../style/${name}.css`, import.meta.url), 'utf8'),
);

test.each(lossPlaces)('losses at the stage %s have a look of their own, a word and their cause', (stage) => {
  const cause = { row: 1, stage, end: null, cause: 'why', losses: 2, frames: 3 };
  const markup = renderToStaticMarkup(<LossCauses causes={[cause]} />);
  expect(markup).toContain(texts.losses.stages[stage]);
  expect(markup).toContain('data-cause="why"');
  const painted = [...markup.matchAll(/data-stage="([\w-]+)" style="([^"]*)"/g)];
  const { colour } = stageLooks[stage];
  expect(painted.map(([, of, style]) => [of, style?.includes(`var(${colour})`)])).toEqual([
    [stage, true],
    [stage, true],
  ]);
  for (const theme of themes) expect(theme).toMatch(new RegExp(`^ *${colour}: #[0-9a-f]{6};$`, 'm'));
});

test('frames of an outage stand beside those that were counted, as an estimate', () => {
  const of = { row: 1, end: null, cause: 'why', losses: 1 };
  const markup = renderToStaticMarkup(
    <LossCauses
      causes={[
        { ...of, stage: 'outage', frames: 213 },
        { ...of, stage: 'sender', frames: 1 },
      ]}
    />,
  );
  expect(markup).toContain('<b data-lost-row="1">1</b> + ≈213');
  expect(markup).toContain('data-count="frames">≈213<');
});

test('no two stages look alike', () => {
  const looks = Object.values(stageLooks).map(({ colour, pattern }) => `${colour} ${pattern}`);
  expect(new Set(looks).size).toBe(lossPlaces.length);
});

test('the place agrees with a cause at one end of the way, and the bar stays that of the stage', () => {
  const lost = {
    row: 1,
    end: 'receiver',
    cause: 'our receiving process was stopped',
    losses: 1,
    frames: 3,
  } as const;
  const placeOf = (stage: (typeof lossPlaces)[number]): string =>
    /<tr data-row.*?<td>1<\/td><td>([^<]*)</.exec(
      renderToStaticMarkup(<LossCauses causes={[{ ...lost, stage }]} />),
    )?.[1] ?? '';
  expect((['transport', 'transport-or-queue', 'missing'] as const).map(placeOf)).toEqual([
    ...['Transport, receiver’s end', 'Transport or queue, receiver’s end', 'Receiver’s end'],
  ]);
});
