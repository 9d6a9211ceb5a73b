import type { NoTextureMessage, TextureMessage, TextureRequest } from '../../app/protocol/textures';

/** A sending host of one movie, 1280×720 in BC1: slanting bars that move. */

const [width, height, frames] = [1280, 720, 300];

/** `reason`: what is answered in the place of textures. */
export function serveTexturesOver(port: MessagePort, reason?: NoTextureMessage['reason']): void {
  let frame = 0;
  let streamId = 0;
  let isInFlight = false;
  port.onmessage = ({ data }: MessageEvent<TextureRequest>) => {
    isInFlight = false;
    if (data.type !== 'subscribe') return;
    streamId = data.rateHz > 0 ? data.streamId : 0;
    if (streamId === 0 || !reason) return;
    const message = reason === 'unreadable' ? '/media/clips/detail-2160p60.mov is gone' : '';
    port.postMessage({ type: 'no-texture', streamId, reason, message } satisfies NoTextureMessage);
  };
  setInterval(() => {
    frame = (frame + 1) % frames;
    if (streamId === 0 || reason || isInFlight) return;
    isInFlight = true;
    const message: TextureMessage = {
      type: 'texture',
      streamId,
      sequence: frame,
      frame,
      frames,
      width,
      height,
      format: 'bc1-rgb',
      blocks: blocksOf(frame),
      alphaBlocks: null,
      background: null,
    };
    port.postMessage(message);
  }, 33);
}

/** Each block is of one colour: both of its ends are. */
function blocksOf(frame: number): Uint8Array {
  const [across, down] = [width / 4, height / 4];
  const colours = new Uint16Array(across * down * 4);
  for (let block = 0; block < across * down; block += 1) {
    const [x, y] = [block % across, Math.floor(block / across)];
    const level = (x + y + frame * 2) % 64;
    const colour = (((x >> 3) % 32) << 11) | (level << 5) | ((y >> 3) % 32);
    colours.fill(colour, block * 4, block * 4 + 2);
  }
  return new Uint8Array(colours.buffer);
}
