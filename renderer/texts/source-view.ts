import type { TextureFormat } from '../../app/protocol/textures';
import type { NativeReason } from '../source-view/shown';

/** The source of a stream in full size, or the stream as it was received. */
export const sourceViewTexts = {
  title: (name: string) => `${name}: the source`,
  received: (name: string) => `${name}: as received`,
  close: 'V or Esc closes',
  blocksFigures: (frame: number, frames: number, size: string, picturesPerSecond: string) =>
    `Frame ${frame} (0 to ${frames - 1}) · ${size} · ${picturesPerSecond} pictures/s`,
  previewFigures: (frame: string, size: string, previewSize: string) =>
    `Frame ${frame} of the stream · ${size === previewSize ? size : `${size}, reduced to ${previewSize}`}`,
  blocks: 'Compressed blocks on the GPU',
  blocksBySoftware: 'No GPU: compressed blocks are shown at a low rate',
  blocksText:
    'The movie’s own picture, without white line and frame code. The sending process reads it again for this view, which costs it a little.',
  formats: {
    'bc1-rgb': 'BC1',
    'bc3-rgba': 'BC3 with alpha, over a grey grid',
    'bc3-scaled-ycocg': 'BC3, scaled YCoCg',
    'bc4-alpha': 'BC4',
    'bc7-rgba': 'BC7',
    'bc6h-unsigned': 'BC6H',
    'bc6h-signed': 'BC6H, signed',
  } satisfies Record<TextureFormat, string>,
  andAlpha: ', and BC4 alpha over a grey grid',
  native: 'Native preview',
  nativeText: 'The picture as it was received, with white line and frame code.',
  receivedText: 'The picture as it was received.',
  reason: (why: NativeReason) => {
    switch (why.reason) {
      case 'remote-sender':
        return 'this console does not send it, so its source cannot be read here';
      case 'other-machine':
        return `${why.machine} sends it, so its source cannot be read here`;
      case 'not-hap':
        return 'only a Hap movie has compressed blocks to show';
      case 'no-webgl2':
        return 'this window has no WebGL2';
      case 'extension':
        return `the GPU lacks ${why.extension}`;
      case 'size':
        return `the GPU’s limit is ${why.largestTexture} pixels a side`;
      case 'context-lost':
        return 'the GPU was lost; waiting for it';
      case 'webgl-failed':
        return 'WebGL2 refused the picture';
      case 'unreadable':
        return why.message;
    }
  },
  damaged: 'Not every frame can be shown.',
  waiting: 'Waiting for the first picture',
  waitingText: 'The sending process reads it from the movie.',
  nothingReceived: 'No picture received yet',
  nothingReceivedText: 'Waiting for the stream’s next picture.',
  ended: (name: string) => `${name} has ended`,
  endedText: 'Its source is no longer sent.',
} as const;
