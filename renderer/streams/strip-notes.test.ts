import { expect, test } from 'vitest';
import { lossStages } from '../../app/facts/loss';
import type { StreamView } from '../../app/protocol/console';
import { streamView } from '../testing/fixtures';
import { everyState } from '../testing/states';
import { foreignStreams } from '../testing/trouble';
import { texts } from '../texts';
import { kindsOf, notesOf } from './strip-notes';

test('every state but receiving stands there with its cause and its remedy', () => {
  for (const stream of everyState) {
    const cause = notesOf(stream).find(({ kind }) => kind === 'cause');
    if (stream.state === 'receiving') expect(cause).toBeUndefined();
    else {
      expect(cause?.lead).toBe(stream.stateText);
      expect(cause?.text).toMatch(new RegExp(`${escaped(stream.remedy)}$`));
    }
  }
});

test('a frame that was never submitted is a miss, one that was submitted is a loss, and no picture is an outage', () => {
  const leadOf = (lastLossStage: StreamView['lastLossStage']) =>
    notesOf(streamView(1, { lastLoss: '1 frame', lastLossStage })).map(({ lead }) => lead);
  expect(leadOf('sender')).toEqual(['Last miss:']);
  expect(leadOf('outage')).toEqual(['Last outage:']);
  const afterwards = lossStages.filter((stage) => stage !== 'sender');
  expect(new Set(afterwards.flatMap(leadOf))).toEqual(new Set(['Last loss:']));
});

test('the newest loss and the reason of a bad verdict are said in words, each once', () => {
  const lastLoss = '12 frames between 14:03:07.2 and 14:03:07.4 were submitted and never arrived';
  const stream = streamView(1, { verdict: 'INVALID', reason: 'late', lastLoss });
  expect(notesOf(stream).map(({ kind, text }) => [kind, text])).toEqual([
    ['verdict', 'late'],
    ['loss', lastLoss],
  ]);
  expect(notesOf(streamView(1))).toEqual([]);
  const gone = streamView(1, {
    state: 'no-video',
    stateText: 'No video',
    verdict: 'FAIL',
    reason: 'No video',
  });
  expect(notesOf(gone).map(({ kind }) => kind)).toEqual(['cause']);
});

test('what is particular about how its movie is played stands below all else', () => {
  const sourceRemarks = ['turned 90° clockwise', 'pixels are not square: shown at 1.78:1'];
  expect(notesOf(streamView(1, { sourceRemarks, lastLoss: '1 frame' })).slice(1)).toEqual([
    {
      kind: 'played',
      lead: 'Played:',
      text: 'turned 90° clockwise; pixels are not square: shown at 1.78:1',
    },
  ]);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test('pictures that are not those of the stream say how they are counted', () => {
  const saidOf = (change: Partial<StreamView>) =>
    notesOf(streamView(1, { remedy: 'Look.', ...change }))[0]?.text;
  expect(saidOf({ state: 'wrong-source' })).toBe('These pictures are not counted. Look.');
  expect(saidOf({ state: 'undecodable' })).toBe('These pictures count as undecodable, and so as lost. Look.');
  expect(saidOf({ state: 'undecodable', countedTo: null })).toBe(
    'Nothing is counted until it can be read. Look.',
  );
  expect(saidOf({ state: 'undecodable', method: 'timestamps' })).toBe('Look.');
});

test('senders of others, without a frame code too, and interlaced pictures are said in words', () => {
  const [camera = streamView(1)] = foreignStreams;
  const wordsOf = (stream: StreamView) => kindsOf(stream).map(({ kind, lead }) => [kind, lead]);
  expect(wordsOf(camera)).toEqual([['method', 'Live, by timestamps']]);
  expect(kindsOf(camera)[0]?.text).toMatch(/no frame code/);
  expect(wordsOf({ ...camera, method: 'frame-code' })).toEqual([['method', 'Live, by frame code']]);
  expect(wordsOf(streamView(1))).toEqual([]);
  expect(wordsOf(streamView(1, { frameFormat: null }))).toEqual([]);
  const [fields] = kindsOf(streamView(1, { frameFormat: 'fields' }));
  expect(fields).toMatchObject({
    kind: 'interlaced',
    lead: 'Interlaced',
    text: expect.stringMatching(/each field/),
  });
  const [both] = kindsOf(streamView(1, { frameFormat: 'interleaved' }));
  expect(both?.text).toMatch(/one picture/);
});

test('the format of a field is that of its frame', () => {
  const { format } = texts.streams;
  expect(format(1920, 540, '50', 'fields')).toBe('1920×1080i @ 50');
  expect(format(1920, 1080, '25', 'interleaved')).toBe('1920×1080i @ 25');
  expect(format(1920, 1080, '50', 'progressive')).toBe('1920×1080 @ 50');
  expect(format(0, 0, '50')).toBe('–');
});
