/** What e2e/gpu-pictures.ts puts into a page. */
export { HapTexture } from '../renderer/source-view/hap-texture';
export { lackFor, probeGpu } from '../renderer/source-view/probe';
