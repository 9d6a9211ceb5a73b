import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lossStages } from '../../app/facts/loss';
import { texts } from '../texts';
import { LossCauses } from './loss-causes';
import { stageLooks } from './stage-looks';

const themes = ['dark', 'light'].map((name) =>
  readFileSync(new URL(`../style/${name}.css`, import.meta.url), 'utf8'),
);

test.each(lossStages)('losses at the stage %s have a look of their own, a word and their cause', (stage) => {
  const cause = { row: 1, stage, cause: 'why', losses: 2, frames: 3 };
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

test('no two stages look alike', () => {
  const looks = Object.values(stageLooks).map(({ colour, pattern }) => `${colour} ${pattern}`);
  expect(new Set(looks).size).toBe(lossStages.length);
});
