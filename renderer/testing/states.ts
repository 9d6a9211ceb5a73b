import type { StreamState, StreamView } from '../../app/protocol/console';
import { streamView, uncountedFigures } from './fixtures';

const causes: Record<StreamState, [stateText: string, remedy: string]> = {
  searching: [
    'Looking for the sender on the network',
    'If it stays so: check that the sender runs, that mDNS (UDP 5353) is not blocked, and that both are in one NDI group.',
  ],
  connecting: [
    'Sender found, waiting for its first picture',
    'If it stays so: check the firewall for TCP 5961 and up, and restart the sender if it was just started again.',
  ],
  'warming-up': ['Receiving; frames are counted when the warm-up is over', ''],
  receiving: ['Receiving', ''],
  stalled: ['No new picture for more than half a second; the sender is connected', ''],
  undecodable: [
    'Pictures come, but the frame code cannot be read in them',
    'The codec may have broken down: black, green or frozen pictures. Use simpler content or a smaller format.',
  ],
  'wrong-source': [
    'Pictures of another sender arrive under this name',
    'Two senders share a name, another one has taken its port, or discovery holds an old address: rename one, or restart the sender.',
  ],
  'no-video': [
    'Connected, but no picture comes',
    'The address may be from before the sender’s restart, or a firewall may let only the connection through: restart the sender, open TCP and UDP 5960 and up, then remove the stream and add it again.',
  ],
  'sender-gone': [
    'No connection to the sender, and discovery no longer lists it',
    'Check that the sender runs, and the way to its machine. The stream goes on by itself when it is back.',
  ],
  'stale-entry': [
    'Discovery still lists the sender, but there is no connection to it',
    'Check that the sender runs, and restart it if it does not. If it runs: check that both machines see the same network.',
  ],
  removing: ['Being removed', ''],
};

const uncounted: Partial<StreamView> = {
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
  verdict: null,
  reason: '',
};
const countedStates: readonly string[] = ['receiving', 'stalled', 'sender-gone', 'stale-entry', 'removing'];

/** One stream in each state. */
export const everyState: StreamView[] = Object.entries(causes).map(([state, [stateText, remedy]], index) =>
  streamView(index + 1, {
    ...(!countedStates.includes(state) && uncounted),
    state: state as StreamState,
    stateText,
    remedy,
  }),
);
