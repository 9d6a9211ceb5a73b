/** What e2e/display.chromium.ts puts into a page. */
export { socketBridge } from '../renderer/engine/socket-bridge';
