import type { NoTextureMessage, TextureMessage } from '../../app/protocol/textures';
import { type GpuLack, type GpuSupport, lackFor, type TextureShape } from './probe';

/** Why the native preview is shown in the place of the source's own blocks. */
export type NativeReason =
  | GpuLack
  | { reason: 'remote-sender' | 'not-hap' | 'no-webgl2' | 'context-lost' | 'webgl-failed' }
  | { reason: 'unreadable'; message: string }
  /** Of the fleet. */
  | { reason: 'other-machine'; machine: string };

/** What the view shows. */
export type Shown =
  | { kind: 'waiting' }
  | ({ kind: 'blocks'; isSoftware: boolean } & TextureShape)
  | { kind: 'native'; why: NativeReason };

/** How far WebGL2 can be relied on in this window. */
export type Gpu = { support: GpuSupport } | { fault: 'no-webgl2' | 'context-lost' | 'webgl-failed' };

/** What to show, from what this window's GPU can do and what the sending host answered last. */
export function shownFor(gpu: Gpu, answer: TextureMessage | NoTextureMessage | null): Shown {
  if ('fault' in gpu) return { kind: 'native', why: { reason: gpu.fault } };
  if (answer === null) return { kind: 'waiting' };
  if (answer.type === 'no-texture') return shownWithout(answer);
  const { format, width, height, alphaBlocks } = answer;
  const shape = { format, width, height, hasAlphaBlocks: alphaBlocks !== null };
  const lack = lackFor(gpu.support, shape);
  if (lack) return { kind: 'native', why: lack };
  return { kind: 'blocks', isSoftware: gpu.support.isSoftware, ...shape };
}

function shownWithout({ reason, message }: NoTextureMessage): Shown {
  switch (reason) {
    case 'no-stream':
      // The sender is on its way, or its process is being started again.
      return { kind: 'waiting' };
    case 'not-hap':
      return { kind: 'native', why: { reason } };
    case 'unreadable':
      return { kind: 'native', why: { reason, message } };
  }
}
