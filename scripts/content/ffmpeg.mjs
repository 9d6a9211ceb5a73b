import { spawnSync } from 'node:child_process';

const mostOutputBytes = 64 * 1024 * 1024;

/** Standard output of ffmpeg or ffprobe. What they print as an error is a failure, even when they go on. */
export function runFfmpeg(program, programArguments, input) {
  const { error, status, stdout, stderr } = spawnSync(program, ['-v', 'error', ...programArguments], {
    input,
    maxBuffer: mostOutputBytes,
  });
  if (error) throw error;
  if (status !== 0 || stderr.length > 0) {
    throw new Error(`${program} ${programArguments.join(' ')}: exit code ${status}\n${stderr}`);
  }
  return stdout;
}

/** The textures that FFmpeg's Hap encoder makes of RGBA pictures. `format`: hap, hap_alpha or hap_q. */
export function encodeTextures(pictures, format) {
  const encoding = ['-c:v', 'hap', '-format', format, '-compressor', 'none', '-f', 'rawvideo', 'pipe:1'];
  const packets = runFfmpeg('ffmpeg', [...rawInput(pictures), ...encoding], joined(pictures));
  const textures = [];
  for (let offset = 0; offset < packets.length; ) {
    const header = sectionHeader(packets, offset);
    textures.push(packets.subarray(offset + header.bytes, offset + header.bytes + header.payloadBytes));
    offset += header.bytes + header.payloadBytes;
  }
  return textures;
}

/** A whole file by FFmpeg, without its name or the date in it. */
export function encodeFile(pictures, { format, chunks, moov }, { timeScale, durations }, file) {
  const input = rawInput(pictures, `${timeScale}/${durations[0]}`);
  const encoding = ['-c:v', 'hap', '-format', format, '-chunks', String(chunks)];
  const bitExact = ['-fflags', '+bitexact', '-flags:v', '+bitexact'];
  const flags = moov === 'front' ? ['-movflags', '+faststart'] : [];
  const output = ['-video_track_timescale', String(timeScale), '-y', file];
  runFfmpeg('ffmpeg', [...input, ...encoding, ...bitExact, ...flags, ...output], joined(pictures));
}

/** The packets of a file's video that are shown, after its edit list: `{pts, size, width, height, tag}`. */
export function probe(file) {
  const entries = 'stream=codec_tag_string,width,height:packet=pts,size,flags';
  const answer = runFfmpeg('ffprobe', [
    '-select_streams',
    'v:0',
    '-show_entries',
    entries,
    '-of',
    'json',
    file,
  ]);
  const { packets, streams } = JSON.parse(answer);
  const shown = packets.filter(({ flags }) => !flags.includes('D'));
  return { ...streams[0], packets: shown.map(({ pts, size }) => ({ pts, size: Number(size) })) };
}

/** Throws where FFmpeg's decoder finds anything to complain about. */
export function decodeAll(file) {
  runFfmpeg('ffmpeg', ['-i', file, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'null', '-']);
}

function rawInput([{ width, height }], rate = '30') {
  return ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', rate, '-i', 'pipe:0'];
}

function joined(pictures) {
  return Buffer.concat(pictures.map(({ pixels }) => pixels));
}

function sectionHeader(bytes, offset) {
  const shortLength = bytes.readUIntLE(offset, 3);
  return shortLength > 0
    ? { bytes: 4, payloadBytes: shortLength }
    : { bytes: 8, payloadBytes: bytes.readUInt32LE(offset + 4) };
}
