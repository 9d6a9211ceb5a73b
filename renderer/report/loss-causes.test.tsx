import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lossStages } from '../../app/protocol/loss';
import { texts } from '../texts';
import { LossCauses } from './loss-causes';

const styles = readFileSync(new URL('loss-causes.module.css', import.meta.url), 'utf8');

test.each(lossStages)('losses at the stage %s have a bar of their own, a word and their cause', (stage) => {
  const cause = { row: 1, stage, cause: 'why', losses: 2, frames: 3 };
  const markup = renderToStaticMarkup(<LossCauses causes={[cause]} />);
  expect(markup).toContain(texts.losses.stages[stage]);
  expect(markup).toContain('data-cause="why"');
  expect(styles).toContain(`[data-stage="${stage}"].part`);
});
