/** What tests of pixels put into a page. */
export { DisplayPainter } from '../renderer/display/display-painter';
export { HapTexture } from '../renderer/source-view/hap-texture';
export { lackFor, probeGpu } from '../renderer/source-view/probe';
