import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { exampleRun } from '../../app/testing/example-run';
import { playedText } from './played';
import { Report } from './report';

const turned = { kind: 'movie', path: '/films/turned.mp4', remarks: ['turned 90° clockwise', 'mirrored'] };
const plain = { kind: 'movie', path: '/films/plain.mp4' };

test.each([
  ['one movie', { source: turned }, 'turned.mp4: turned 90° clockwise; mirrored'],
  ['a movie that is played as it is', { source: plain }, ''],
  ['a generated source', { source: { kind: 'white-line' } }, ''],
  ['a run without a source', {}, ''],
  [
    'a mix, a movie of it twice',
    {
      source: plain,
      sources: [plain, turned, { kind: 'noise' }, turned, { ...plain, remarks: ['mirrored'] }],
    },
    'turned.mp4: turned 90° clockwise; mirrored. plain.mp4: mirrored',
  ],
  ['what is no list', { source: { ...turned, remarks: 'mirrored' }, sources: 'x' }, ''],
])('of %s', (_, environment, text) => {
  expect(playedText(environment)).toBe(text);
});

test('the head of a report says it', () => {
  const headOf = (environment: Record<string, unknown>) => {
    const run = { ...exampleRun([]), environment };
    const load = { wallMs: [], columns: [], samplesPerPoint: 1, notMeasured: {} };
    const data = { run, load, marks: [], causes: [], leftOut: [], notes: [] };
    return renderToStaticMarkup(<Report data={{ ...data, pictures: [], picturesLeftOut: [] }} />);
  };
  expect(headOf({ source: turned })).toContain(
    '<dt>Played</dt><dd dir="auto">turned.mp4: turned 90° clockwise; mirrored</dd>',
  );
  expect(headOf({ source: plain })).not.toContain('<dt>Played</dt>');
});
