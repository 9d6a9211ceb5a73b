import { expect, test } from 'vitest';
import type { StreamView } from '../../app/protocol/console';
import { streamView, uncountedFigures } from '../testing/fixtures';
import { foreignStreams } from '../testing/trouble';
import { detailsOf, lossesOf, lostOf, mainFiguresOf, notSentOf, type StripFigure } from './strip-figures';

/** The large ones. */
function figuresOf(stream: StreamView): StripFigure[] {
  return [lostOf(stream), notSentOf(stream), ...mainFiguresOf(stream)];
}

function textsOf(stream: StreamView): Record<string, string> {
  const figures = [...figuresOf(stream), ...detailsOf(stream)];
  const beside = figures.flatMap((each) => each.beside ?? []);
  return Object.fromEntries([
    ...beside.map(({ key, text }) => [key, text]),
    ...figures.map(({ key, text }) => [key, text]),
  ]);
}

const nothingYet = {
  ...uncountedFigures,
  deliveredFps: null,
  latencyP50Ms: null,
  latencyP99Ms: null,
  longestGapMs: null,
  codeHealthMin: null,
  connectMs: null,
  bitrateMbps: null,
  audioOffsetMs: null,
  audioBlocksMissing: null,
};

test('a stream of which nothing was measured shows no figure at all, not even a 0', () => {
  const shown = Object.values(textsOf(streamView(1, nothingYet)));
  expect(shown.length).toBeGreaterThan(10);
  expect(new Set(shown)).toEqual(new Set(['—', 'now —']));
});

test('before a whole second was counted, what was lost in it is not known', () => {
  expect(textsOf(streamView(1, { lostNow: null, deliveredFps: null }))).toMatchObject({
    lostNow: 'now —',
    lostTotal: '0',
  });
});

test('counted nothing is 0, and what is null stays a dash beside it', () => {
  const shown = textsOf(streamView(1, { latencyP99Ms: null, audioOffsetMs: null }));
  expect(shown).toMatchObject({
    lostTotal: '0',
    framesDropped: '0',
    latencyP99Ms: '—',
  });
  expect(shown).not.toHaveProperty('audioOffsetMs');
  expect(shown).not.toHaveProperty('audioBlocksMissing');
});

test('what an outage must have cost stands in the largest figures, as an estimate (V17)', () => {
  const away = { lostTotal: 0, lostNow: 0, lostNowInOutage: 30, framesInOutages: 362 };
  expect(textsOf(streamView(1, away))).toMatchObject({ lostNow: 'now ≈ 30', lostTotal: '≈ 362' });
  // Also while the sender that was started again is not counted yet.
  const waiting = { ...away, deliveredFps: null, framesReceived: 0, framesSubmitted: 0 };
  expect(textsOf(streamView(1, waiting))).toMatchObject({ lostNow: 'now ≈ 30', lostTotal: '≈ 362' });
  const over = streamView(1, { ...away, lostTotal: 5, framesDropped: 5, lostNowInOutage: null });
  expect(textsOf(over)).toMatchObject({ lostNow: 'now 0', lostTotal: '≈ 367' });
  // What was counted stays a count.
  expect(textsOf(over)).toMatchObject({ framesDropped: '5', framesInOutages: '≈ 362' });
  const total = figuresOf(over).find(({ key }) => key === 'lostTotal');
  expect(total?.help).toMatch(
    /Counted: 5\. Estimated from the frame rate while no new picture arrived: about 362$/,
  );
  const [camera = over] = foreignStreams;
  expect(textsOf({ ...camera, framesMissing: 1, framesInOutages: 60 })).toMatchObject({
    framesMissing: '≈ 61',
  });
});

test('a sender without our code shows what is missing in the place of what was lost', () => {
  const [camera = streamView(1), studio = camera] = foreignStreams;
  const missing = figuresOf(camera).find(({ key }) => key === 'framesMissing');
  expect(missing).toMatchObject({ text: '1', heading: 'Missing' });
  expect(textsOf(camera)).toMatchObject({ lostNow: 'now 0', framesSenderMissed: '—' });
  expect(notSentOf(camera).help).toMatch(/does not report what it sent/);
  expect(textsOf(studio)).toMatchObject({ lostNow: 'now —', framesMissing: '—', framesReceived: '3,612' });
  const why = 'Not measured: the sender’s frames come at no steady rate';
  for (const { key, help } of figuresOf(studio)) if (key === 'framesMissing') expect(help).toBe(why);
  expect(lostOf(studio).beside?.help).toBe(why);
  for (const key of ['lostTotal', 'framesDropped', 'framesSubmitted', 'framesUndecodable', 'codeHealthMin']) {
    expect(textsOf(camera)).not.toHaveProperty(key);
  }
  expect(figuresOf(camera).find(({ key }) => key === 'latencyP99Ms')?.help).toMatch(/no frame code/);
});

test('losses that were not measured for part of the time say so beside their count', () => {
  const [camera = streamView(1)] = foreignStreams;
  const part = { ...camera, lossesNotMeasured: 'its frame rate was not known yet' };
  const missing = figuresOf(part).find(({ key }) => key === 'framesMissing');
  expect(missing).toMatchObject({
    text: '1',
    help: expect.stringMatching(/\nNot measured for part of the time: its frame rate was not known yet$/),
  });
});

test('without the sender’s records, what is missing stands in the place of dropped and missed', () => {
  const shown = textsOf(streamView(1, { framesMissing: 3 }));
  expect(shown).toMatchObject({ framesMissing: '3', framesReceived: '7,218' });
  expect(shown).not.toHaveProperty('framesDropped');
  expect(shown).toMatchObject({ framesSenderMissed: '0' });
});

test.each([
  [0.384, '± 0.38'],
  [4.13, '± 4.1'],
  [37.2, '± 37'],
])('a latency that may be off by %s ms says so', (latencyUncertaintyMs, expected) => {
  const uncertainty = Object.fromEntries(
    figuresOf(streamView(1, { latencyUncertaintyMs })).map((each) => [each.key, each.uncertainty]),
  );
  expect(uncertainty).toMatchObject({ latencyP50Ms: expected, latencyP99Ms: expected, longestGapMs: '' });
});

test('milliseconds have digits only where they say something, and fit', () => {
  const view = streamView(1, { latencyP50Ms: 99.994, latencyP99Ms: 147.12, longestGapMs: 12105.1 });
  expect(textsOf(view)).toMatchObject({
    latencyP50Ms: '99.99',
    latencyP99Ms: '147.1',
    longestGapMs: '12,105',
  });
});

test('an exact latency has no ±, and neither has one that was not measured', () => {
  const exact = figuresOf(streamView(1));
  const unknown = figuresOf(
    streamView(1, { latencyUncertaintyMs: 0.4, latencyP50Ms: null, latencyP99Ms: null }),
  );
  expect([...exact, ...unknown].map(({ uncertainty }) => uncertainty).join('')).toBe('');
});

test('sound and recovery appear once they are measured', () => {
  const shown = textsOf(
    streamView(1, { audioOffsetMs: -41.6, audioBlocksMissing: 2, recoveredAfterMs: 2430 }),
  );
  expect(shown.audioOffsetMs).toMatch(/^−41\.6/);
  expect(shown).toMatchObject({ audioBlocksMissing: '2', recoveredAfterMs: '2.4' });
  expect(textsOf(streamView(1))).not.toHaveProperty('recoveredAfterMs');
});

test('what a display window did not show appears while one shows the stream', () => {
  const figures = { framesDisplayMissed: 3, framesDisplayMissedDelivery: 0, framesDisplayMissedUpload: 3 };
  const shown = textsOf(streamView(1, { ...figures, displayTicksMissed: 12 }));
  expect(shown).toMatchObject({
    ...{ framesDisplayMissed: '3', framesDisplayMissedUpload: '3', displayTicksMissed: '12' },
  });
  expect(shown).not.toHaveProperty('framesDisplayMissedDelivery');
  expect(textsOf(streamView(1, { framesDisplayMissed: 0 }))).toMatchObject({ framesDisplayMissed: '0' });
  expect(textsOf(streamView(1))).not.toHaveProperty('framesDisplayMissed');
});

test('what the sender did not send is no loss, and stands beside what was lost', () => {
  const figures = { framesSubmitted: 7200, framesReceived: 7190, framesDropped: 10, lostTotal: 10 };
  const stream = streamView(1, { ...figures, framesSenderMissed: 18 });
  expect([lostOf(stream).text, notSentOf(stream).text]).toEqual(['10', '18']);
  expect(detailsOf(stream).map(({ key }) => key)).not.toContain('framesSenderMissed');
  expect(notSentOf(stream).beside).toBeUndefined();
  expect(lossesOf(stream)).toMatchObject({ text: '10', beside: { text: '18 not sent', isLoud: true } });
  expect(lossesOf(streamView(1))).toEqual(lostOf(streamView(1)));
  // Sent with the picture before: among the submitted ones.
  const besideOf = (late: number, damaged: number) =>
    notSentOf({ ...stream, framesLateSource: late, framesLateSourceDamaged: damaged }).beside?.text;
  expect([besideOf(5, 5), besideOf(5, 3)]).toEqual(['5 damaged', '3 damaged, 2 late']);
  expect(notSentOf({ ...stream, framesLateSource: 5 })).toMatchObject({
    ...{ text: '18', beside: { text: '5 late', isLoud: true } },
  });
});

test('what was lost in the newest second is small, and loud only where there is any', () => {
  expect(lostOf(streamView(1)).beside).toMatchObject({ text: 'now 0', isLoud: false });
  expect(lostOf(streamView(1, { lostNow: 3 })).beside).toMatchObject({ text: 'now 3', isLoud: true });
  const away = { lostNow: null, lostNowInOutage: 30 };
  expect(lostOf(streamView(1, away)).beside).toMatchObject({ text: 'now ≈ 30', isLoud: true });
});

test('where there is little room, the newest outage stands beside what it cost; the help names it everywhere', () => {
  const said = 'from 14:03:07.2 to 14:03:20.4 UTC, no new picture for 13.2 s: about 792 frames at 60 fps';
  const outage = { lastLoss: said, lastLossStage: 'outage', lastOutageMs: 13_200 } as const;
  const away = streamView(1, { ...outage, framesInOutages: 792, lostNowInOutage: 60 });
  expect(lossesOf(away)).toMatchObject({ text: '≈ 792', beside: { text: 'outage 13.2 s', isLoud: true } });
  expect(lossesOf({ ...away, lastOutageMs: 12_345_600 }).beside?.text).toBe('outage 3 h 25 min');
  expect(lossesOf({ ...away, lostNowInOutage: null }).beside).toMatchObject({ isLoud: false });
  expect(lossesOf({ ...away, framesSenderMissed: 4 }).beside?.text).toBe('4 not sent');
  for (const figure of [lostOf(away), lossesOf(away), lossesOf({ ...away, framesSenderMissed: 4 })])
    expect(figure.help.split('\n').at(-1)).toBe(`Last outage: ${said}`);
  const lost = { lastLoss: '3 frames never arrived', lastLossStage: 'missing' } as const;
  expect(lossesOf(streamView(1, lost))).toMatchObject({
    beside: { text: 'now 0' },
    help: expect.stringMatching(/\nLast loss: 3 frames never arrived$/),
  });
});

test('its own bitrate stands there where it is measured', () => {
  const bitrateOf = (bitrateMbps: number | null) =>
    mainFiguresOf(streamView(1, { bitrateMbps })).find(({ key }) => key === 'bitrateMbps')?.text;
  expect([bitrateOf(null), bitrateOf(112.44)]).toEqual([undefined, '112.4']);
});
