const identityMatrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const resolution72Dpi = 0x480000;
const noData = Buffer.alloc(0);

/**
 * A QuickTime or MP4 file with one video track, and a sound track before it if asked for.
 *
 * `video`: fourCC, width, height, depth, timeScale, frames (bytes), durations (ticks of each).
 * `layout`: `brand`, `movieTimeScale`, `moov` front or end, `offsets` stco or co64, `mdat` normal, long (a 64-bit
 * length) or open (length 0: to the file's end), `edits` ([{mediaTicks, ticks}] in the video's time scale;
 * mediaTicks −1 is a pause), `samplesPerChunk` (in turn), `hasSound`, `hasFreeBoxes`.
 */
export function movFile(video, layout) {
  const fileType = box('ftyp', ascii(layout.brand), words(0x200), ascii(layout.brand));
  const free = layout.hasFreeBoxes ? box('free', Buffer.alloc(13)) : noData;
  const tracks = [videoTrack(video), ...(layout.hasSound ? [soundTrack(video)] : [])];
  const chunks = chunksOf(tracks, layout.samplesPerChunk);
  const data = mediaData(chunks, layout.mdat);
  // The length of moov does not hang on the offsets in it.
  const moovAt = (dataStart) => movieBox(tracks, placedChunks(chunks, dataStart), layout);
  const moovBytes = layout.moov === 'front' ? moovAt(0).length : 0;
  const moov = moovAt(fileType.length + free.length + moovBytes + data.headerBytes);
  const parts = layout.moov === 'front' ? [free, moov, data.bytes] : [free, data.bytes, moov];
  return Buffer.concat([fileType, ...parts]);
}

function videoTrack(video) {
  const { timeScale, durations, frames } = video;
  return { id: 1, kind: 'video', timeScale, durations, samples: frames, video };
}

/** One sound sample of silence for every frame: 16 bits, one channel, 8 kHz. */
function soundTrack(video) {
  const sampleRate = 8000;
  const samplesOf = (ticks) => Math.round((ticks * sampleRate) / video.timeScale);
  return {
    id: 2,
    kind: 'sound',
    timeScale: sampleRate,
    durations: video.durations.flatMap((ticks) => Array(samplesOf(ticks)).fill(1)),
    samples: video.durations.flatMap((ticks) => Array(samplesOf(ticks)).fill(Buffer.alloc(2))),
    samplesPerChunk: video.durations.map(samplesOf),
    sampleRate,
  };
}

/** In file order: a chunk of every track in turn. */
function chunksOf(tracks, samplesPerChunk) {
  const queues = tracks.map((track) => cutIntoChunks(track, track.samplesPerChunk ?? samplesPerChunk));
  const longest = Math.max(...queues.map((queue) => queue.length));
  const inTurn = Array.from({ length: longest }, (_, index) => queues.map((queue) => queue[index]));
  return inTurn.flat().filter(Boolean);
}

function cutIntoChunks(track, samplesPerChunk) {
  const chunks = [];
  for (let start = 0; start < track.samples.length; ) {
    const count = samplesPerChunk[chunks.length % samplesPerChunk.length];
    chunks.push({ trackId: track.id, samples: track.samples.slice(start, start + count) });
    start += count;
  }
  return chunks;
}

function mediaData(chunks, kind) {
  const payload = Buffer.concat(chunks.flatMap((chunk) => chunk.samples));
  const header = Buffer.alloc(kind === 'long' ? 16 : 8);
  const lengths = { normal: payload.length + 8, long: 1, open: 0 };
  header.writeUInt32BE(lengths[kind], 0);
  header.write('mdat', 4, 'latin1');
  if (kind === 'long') header.writeBigUInt64BE(BigInt(payload.length + 16), 8);
  return { headerBytes: header.length, bytes: Buffer.concat([header, payload]) };
}

function placedChunks(chunks, dataStart) {
  let offset = dataStart;
  return chunks.map((chunk) => {
    const placed = { ...chunk, offset };
    offset += chunk.samples.reduce((sum, sample) => sum + sample.length, 0);
    return placed;
  });
}

function movieBox(tracks, chunks, layout) {
  const duration = Math.max(...tracks.map((track) => movieTicks(track, shownTicks(track, layout), layout)));
  const header = box(
    'mvhd',
    words(0, 0, 0, layout.movieTimeScale, duration, 0x10000),
    shorts(0x100, 0),
    words(0, 0, ...identityMatrix, 0, 0, 0, 0, 0, 0, tracks.length + 1),
  );
  // The sound's track stands in front of the picture's: a reader must not take the first.
  const boxes = [...tracks].reverse().map((track) =>
    trackBox(
      track,
      chunks.filter((chunk) => chunk.trackId === track.id),
      layout,
    ),
  );
  return box('moov', header, ...boxes);
}

function movieTicks(track, ticks, { movieTimeScale }) {
  return Math.round((ticks * movieTimeScale) / track.timeScale);
}

function shownTicks(track, { edits }) {
  const durations = track.kind === 'video' && edits ? edits.map((edit) => edit.ticks) : track.durations;
  return durations.reduce((sum, ticks) => sum + ticks, 0);
}

function trackBox(track, chunks, layout) {
  const { width = 0, height = 0 } = track.video ?? {};
  const duration = movieTicks(track, shownTicks(track, layout), layout);
  const header = box(
    'tkhd',
    words(0xf, 0, 0, track.id, 0, duration, 0, 0),
    shorts(0, 0, track.kind === 'sound' ? 0x100 : 0, 0),
    words(...identityMatrix, width * 0x10000, height * 0x10000),
  );
  const edits = track.kind === 'video' && layout.edits ? editBox(track, layout) : noData;
  return box('trak', header, edits, mediaBox(track, chunks, layout));
}

function editBox(track, layout) {
  const entries = layout.edits.map((edit) =>
    words(movieTicks(track, edit.ticks, layout), edit.mediaTicks, 0x10000),
  );
  return box('edts', box('elst', words(0, entries.length), ...entries));
}

function mediaBox(track, chunks, layout) {
  const isSound = track.kind === 'sound';
  const totalTicks = track.durations.reduce((sum, ticks) => sum + ticks, 0);
  const header = box('mdhd', words(0, 0, 0, track.timeScale, totalTicks), shorts(0x7fff, 0));
  const handler = (type, subtype) =>
    box('hdlr', words(0), ascii(type), ascii(subtype), words(0, 0, 0), Buffer.of(0));
  const mediaHeader = isSound ? box('smhd', words(0, 0)) : box('vmhd', words(1), shorts(0, 0, 0, 0));
  const reference = box('dinf', box('dref', words(0, 1), box('url ', words(1))));
  const table = box('stbl', ...sampleTables(track, chunks, layout));
  const information = box('minf', mediaHeader, handler('dhlr', 'url '), reference, table);
  return box('mdia', header, handler('mhlr', isSound ? 'soun' : 'vide'), information);
}

function sampleTables(track, chunks, layout) {
  const description = track.kind === 'sound' ? soundDescription(track) : videoDescription(track.video);
  const durations = runsOf(track.durations).map(({ value, count }) => words(count, value));
  return [
    box('stsd', words(0, 1), description),
    box('stts', words(0, durations.length), ...durations),
    samplesPerChunkBox(chunks),
    sizesBox(track.samples),
    chunkOffsetsBox(chunks, layout.offsets),
  ];
}

function samplesPerChunkBox(chunks) {
  let firstChunk = 1;
  const entries = runsOf(chunks.map((chunk) => chunk.samples.length)).map(({ value, count }) => {
    const entry = words(firstChunk, value, 1);
    firstChunk += count;
    return entry;
  });
  return box('stsc', words(0, entries.length), ...entries);
}

/** One number for all where they are equal, otherwise a table. */
function sizesBox(samples) {
  const sizes = samples.map((sample) => sample.length);
  const areEqual = sizes.every((size) => size === sizes[0]);
  return areEqual
    ? box('stsz', words(0, sizes[0], sizes.length))
    : box('stsz', words(0, 0, sizes.length, ...sizes));
}

function chunkOffsetsBox(chunks, kind) {
  const offsets = chunks.map((chunk) => chunk.offset);
  if (kind === 'stco') return box('stco', words(0, offsets.length, ...offsets));
  return box('co64', words(0, offsets.length), ...offsets.map((offset) => words(0, offset)));
}

function videoDescription({ fourCC, width, height, depth }) {
  const compressorName = Buffer.alloc(32);
  return box(
    fourCC,
    shorts(0, 0, 0, 1, 0, 0),
    words(0, 0, 0),
    shorts(width, height),
    words(resolution72Dpi, resolution72Dpi, 0),
    shorts(1),
    compressorName,
    shorts(depth, -1),
  );
}

function soundDescription({ sampleRate }) {
  return box('sowt', shorts(0, 0, 0, 1, 0, 0), words(0), shorts(1, 16, 0, 0), words(sampleRate * 0x10000));
}

function runsOf(values) {
  const runs = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.value === value) last.count++;
    else runs.push({ value, count: 1 });
  }
  return runs;
}

function box(type, ...parts) {
  const payload = Buffer.concat(parts);
  return Buffer.concat([words(payload.length + 8), ascii(type), payload]);
}

function ascii(text) {
  return Buffer.from(text, 'latin1');
}

function words(...numbers) {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    bytes.writeUInt32BE(number >>> 0, index * 4);
  });
  return bytes;
}

function shorts(...numbers) {
  const bytes = Buffer.alloc(numbers.length * 2);
  numbers.forEach((number, index) => {
    bytes.writeUInt16BE(number & 0xffff, index * 2);
  });
  return bytes;
}
