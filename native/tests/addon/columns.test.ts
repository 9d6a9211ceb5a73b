import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AudioRecords,
  type ClockRecords,
  type FaultVerb,
  MissCause,
  type MissRecords,
  PictureClass,
  PictureStatus,
} from '../../../app/protocol/records';
import type { Finder, Receiver, Sender, Source, SourceOptions } from '../../addon/index';
import {
  addon,
  currentSlot,
  findSource,
  keep,
  ndiFolder,
  smallFormat,
  uniqueName,
  waitFor,
} from './addon_fixture';

/** That each value of a stream over real NDI stands in the column, and the field, of its name. */

const framesPerSecond = smallFormat.rateNumerator;
const senderId = 41;
const releaseTimeSpanUs = 2 ** 48;
/** Frames of a fault that lasts longer than any test. */
const always = { first: 0, last: 2 ** 31 - 1 };

/** Moves release times to the year 2001, so that a test cannot confuse them with today's. */
const wallOffsetUs = Math.round(1e15 - addon.monotonicNs() / 1000);
const thisYearUs = 1.7e15;

let finder: Finder;

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
});

afterAll(() => finder.close());

let sources = 0;

interface Stream {
  sourceId: number;
  source: Source;
  sender: Sender;
  receiver: Receiver;
}

async function openStream(options: Partial<SourceOptions> = {}): Promise<Stream> {
  // A closed sender may keep its number for a while.
  sources += 1;
  const sourceId = 4320 + sources;
  const source = keep(
    new addon.Source({ kind: 'noise', ...smallFormat, wallOffsetUs, sourceId, ...options }),
  );
  const name = uniqueName();
  const sender = keep(
    new addon.Sender({ transport: 'ndi', source, name, senderId, audio: true, answerTime: true }),
  );
  const found = await findSource(finder, sender.status().sourceName);
  const receiver = keep(
    new addon.Receiver({ transport: 'ndi', ...found, receiverName: 'whiteline test', wallOffsetUs }),
  );
  return { sourceId, source, sender, receiver };
}

/** What a drain gives as one object for each record. */
function rowsOf<Records extends object>(records: Records) {
  type Row = { [Name in keyof Records]: Records[Name] extends ArrayLike<number> ? number : never };
  const columns = Object.entries(records).filter(([, column]) => typeof column !== 'number');
  const [[, first] = ['', []]] = columns;
  return Array.from(first as ArrayLike<number>, (_, index) => {
    return Object.fromEntries(columns.map(([name, column]) => [name, column[index]])) as Row;
  });
}

test('a picture has the numbers and the times of its frame', async () => {
  const { sourceId, source, receiver } = await openStream();
  const beganNs = addon.monotonicNs();
  const pictures = await waitFor('pictures', () => {
    const rows = rowsOf(receiver.drain());
    return rows.length > 0 ? rows : undefined;
  });
  const { lastCaptureNs } = receiver.status();
  expect(lastCaptureNs).toBeGreaterThanOrEqual(pictures.at(-1)?.captureNs ?? Number.NaN);
  expect(lastCaptureNs).toBeLessThan(addon.monotonicNs());
  const slots = new Map(rowsOf(source.drain()).map((slot) => [slot.frameNumber, slot]));
  for (const picture of pictures) {
    expect(picture).toMatchObject({ sourceId, senderId, firstSpoiltRow: 0, lastSpoiltRow: 0 });
    expect(picture).toMatchObject({ status: PictureStatus.Good, pictureClass: PictureClass.Coded });
    expect(picture.captureNs).toBeLessThan(addon.monotonicNs());
    const { releaseNs = Number.NaN, slotNs = Number.NaN } = slots.get(picture.frameNumber) ?? {};
    expect(slotNs).toBeGreaterThan(beganNs - 60e9);
    expect(releaseNs).toBeGreaterThanOrEqual(slotNs);
    expect(picture.captureNs).toBeGreaterThan(releaseNs);
    expect(picture.timecodeUs).toBe(Math.floor(releaseNs / 1000) + wallOffsetUs);
    expect(picture.releaseTimeUs).toBe(picture.timecodeUs % releaseTimeSpanUs);
    expect(picture.timestampUs).toBeGreaterThan(thisYearUs);
    expect(picture.timestampUs).toBeLessThan(2 * thisYearUs);
  }
});

const verbs: [FaultVerb, number, number?][] = [
  ['tear', PictureStatus.Torn],
  ['stale-band', PictureStatus.Stale],
  ['damage-top', PictureStatus.Damaged],
  ['mislabel', PictureStatus.Mislabelled],
  ['shrink', PictureStatus.WrongSize],
  ['green', PictureStatus.Discoloured],
  ['dim', PictureStatus.Dimmed],
  ['black', PictureStatus.Undecodable, PictureClass.Black],
];

test('each fault of a picture is reported by its number', async () => {
  // Without colours, so that exchanged ones are no fault.
  const { sender, receiver } = await openStream({ kind: 'white-line' });
  for (const [verb, status, pictureClass = PictureClass.Coded] of verbs) {
    sender.setFaults([{ verb, ...always }]);
    const picture = await waitFor(`a picture with ${verb}`, () =>
      rowsOf(receiver.drain()).find((row) => row.status === status),
    );
    expect(picture.pictureClass, verb).toBe(pictureClass);
    expect(Number.isNaN(picture.codeHealth), verb).toBe(status === PictureStatus.Undecodable);
    if (verb !== 'stale-band') continue;
    expect(picture.firstSpoiltRow).toBeGreaterThan(0);
    expect(picture.lastSpoiltRow).toBeGreaterThan(picture.firstSpoiltRow);
  }
});

test('on a white picture the line is looked for, and stands out nowhere', async () => {
  const white = ['-f', 'lavfi', '-i', 'color=white:size=640x360:rate=30', '-pix_fmt', 'uyvy422'];
  const command = { file: 'ffmpeg', arguments: ['-v', 'error', ...white, '-f', 'rawvideo', '-'] };
  const { receiver } = await openStream({ kind: 'movie', command });
  const [picture] = await waitFor('a picture', () => {
    const rows = rowsOf(receiver.drain());
    return rows.length > 0 ? rows : undefined;
  });
  expect(picture).toMatchObject({ status: PictureStatus.Good, lineWitnesses: 0 });
  expect(picture?.linePlaces).toBeGreaterThan(0);
});

test('each slot from the first on was submitted within its time, or missed behind it', async () => {
  const { source, receiver } = await openStream();
  await waitFor('a later slot than the first', () => receiver.status().picturesCaptured > 10 || undefined);
  const sender = keep(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId }));
  const { firstSlot } = sender.status();
  const delayMs = 5;
  sender.setFaults([{ verb: 'delay', ...always, delayMs }]);
  const submits = rowsOf(sender.drain());
  // The call of the first that comes now was the first with a delay.
  const delayedFrom = submits.length + 1;
  await waitFor('delayed submits', () => {
    submits.push(...rowsOf(sender.drain()));
    return submits.length > delayedFrom + 2 || undefined;
  });
  sender.setFaults([{ verb: 'miss', ...always }]);
  const misses: ReturnType<typeof rowsOf<MissRecords>> = [];
  await waitFor('two injected misses', () => {
    misses.push(...rowsOf(sender.drainMisses()));
    return misses.filter(({ cause }) => cause === MissCause.Injected).length > 1 || undefined;
  });
  submits.push(...rowsOf(sender.drain()));
  const slots = rowsOf(source.drain());
  expect(firstSlot).toBeGreaterThan(10);
  const settled = [...submits, ...misses].map(({ frameNumber }) => frameNumber);
  expect(settled.sort((one, other) => one - other)).toEqual(settled.map((_, index) => firstSlot + index));
  const { startNs } = source.status();
  for (const { frameNumber, slotNs } of slots)
    expect(slotNs).toBe(startNs + Math.floor((frameNumber * 1e9) / framesPerSecond));
  for (const { frameNumber, beginNs } of submits) {
    expect(beginNs).toBeGreaterThanOrEqual(slots[frameNumber]?.releaseNs ?? Number.NaN);
    expect(beginNs).toBeLessThan(slots[frameNumber + 1]?.slotNs ?? Number.NaN);
  }
  for (const { previousCallNs } of submits.slice(delayedFrom))
    expect(previousCallNs).toBeGreaterThanOrEqual(delayMs * 1e6);
  const injected = misses.filter(({ cause }) => cause === MissCause.Injected);
  for (const { frameNumber, atNs } of injected)
    expect(atNs).toBeGreaterThanOrEqual(slots[frameNumber + 1]?.slotNs ?? Number.NaN);
  expect(submits.filter(({ frameNumber }) => frameNumber > (injected[0]?.frameNumber ?? 0))).toEqual([]);
});

test('sound has its frame and its format, and its burst in each second', async () => {
  const { receiver } = await openStream();
  const blocks: ReturnType<typeof rowsOf<AudioRecords>> = [];
  await waitFor('two bursts', () => {
    blocks.push(...rowsOf(receiver.drainAudio()));
    return blocks.filter(({ burstNs }) => !Number.isNaN(burstNs)).length > 1 || undefined;
  });
  for (const [index, { frameNumber, samples, sampleRate, captureNs, burstNs }] of blocks.entries()) {
    expect({ samples, sampleRate }).toEqual({ samples: 48_000 / framesPerSecond, sampleRate: 48_000 });
    const hasBurst = frameNumber % framesPerSecond === 0;
    // A burst begins its block, and counts after silence, of which the block before is proof.
    if (!hasBurst) expect(burstNs).toBeNaN();
    else if (blocks[index - 1]?.frameNumber === frameNumber - 1) expect(burstNs).toBe(captureNs);
  }
});

test('a question for the time is answered between asking and hearing', async () => {
  const { sender, receiver } = await openStream();
  await waitFor('an arrival', () => (sender.status().arrivals ?? 0) > 0 || undefined);
  const beganUs = addon.monotonicNs() / 1000 + wallOffsetUs;
  receiver.askTime({ rateHz: 20 });
  const rows: ReturnType<typeof rowsOf<ClockRecords>> = [];
  const answers = await waitFor('answers', () => {
    rows.push(...rowsOf(receiver.drainTime()));
    return rows.length > 2 ? rows : undefined;
  });
  for (const { askedUs, heardUs, repliedUs, answeredUs } of answers) {
    const times = [Math.floor(beganUs), askedUs, heardUs, repliedUs, answeredUs];
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(answeredUs).toBeLessThanOrEqual(addon.monotonicNs() / 1000 + wallOffsetUs);
  }
});

test('what the SDK drops while nothing is fetched is counted', async () => {
  const { source, receiver } = await openStream();
  await waitFor('a picture', () => receiver.status().picturesCaptured > 0 || undefined);
  const dropped = await waitFor('a dropped picture', () => {
    receiver.setStalls([{ first: 0, last: currentSlot(source, framesPerSecond) + framesPerSecond }]);
    return rowsOf(receiver.drain()).at(-1)?.transportDropped || undefined;
  });
  expect(receiver.status().transportDropped).toBeGreaterThanOrEqual(dropped);
});

test('a preview has the number of its picture', async () => {
  const { receiver } = await openStream();
  await waitFor('pictures', () => receiver.status().picturesCaptured > 5 || undefined);
  receiver.setPreview({ rateHz: 60, maxWidth: 160 });
  const { frameNumber, sequence } = await waitFor('a preview', () => receiver.preview(0) ?? undefined);
  expect(sequence).toBeLessThan(frameNumber);
  expect([...receiver.drain().frameNumber]).toContain(frameNumber);
});

test('a picture for a display says what was left out of it', async () => {
  const { sourceId, sender, receiver } = await openStream();
  receiver.setView({ mostWidth: 4096, mostHeight: 100, mostPicturesPerSecond: 10 });
  const next = () => waitFor('a picture', () => receiver.takeView() ?? undefined);
  const picture = await next();
  expect(picture).toMatchObject({ sourceId, streamWidth: 640, streamHeight: 360, width: 160, height: 90 });
  expect(picture).toMatchObject({
    isField: false,
    reducedBy: 4,
    everyNth: 3,
    rateNumerator: 30,
    rateDenominator: 1,
  });
  expect((picture.frameNumber ?? Number.NaN) % 3).toBe(0);
  expect(picture.pixels).toHaveLength(160 * 90 * (picture.pixelFormat === 'uyvy' ? 2 : 4));
  sender.setFaults([{ verb: 'black', ...always }]);
  await waitFor('a picture without a number', () => receiver.takeView()?.frameNumber === null || undefined);
});

test('metadata that nobody takes is counted at both ends', async () => {
  const { sender, receiver } = await openStream();
  await waitFor('metadata to be dropped', () => {
    for (let text = 0; text < 10_000; text += 1) sender.sendMetadata(`<number n="${text}"/>`);
    return (sender.status().metadataDropped > 0 && receiver.status().metadataDropped > 0) || undefined;
  });
  expect(receiver.drainMetadata().length).toBeLessThanOrEqual(256);
});

test('records that found no room are counted, and what is drained has no gap', async () => {
  const format = { ...smallFormat, width: 320, height: 180, rateNumerator: 1000 };
  const source = keep(new addon.Source({ kind: 'white-line', ...format }));
  const room = 8192;
  const numbers: number[] = [];
  let drainAtSlot = room + 10;
  // A source whose thread is late has left room: then the next drain is the one.
  const last = await waitFor('records that found no room', () => {
    if (source.status().state !== 'running' || currentSlot(source, 1000) < drainAtSlot) return undefined;
    const records = source.drain();
    numbers.push(...records.frameNumber);
    drainAtSlot = currentSlot(source, 1000) + room + 10;
    return records.overflowed > 0 ? records : undefined;
  });
  expect(last.frameNumber).toHaveLength(room);
  expect(numbers).toEqual(Array.from(numbers, (_, slot) => slot));
});
