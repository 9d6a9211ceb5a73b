import type { LiveSource } from '../../app/protocol/console';

/** What is said where an NDI source of the network is chosen. */

export const liveSourcesTexts = {
  title: 'Sources on the network',
  searching: 'Looking for NDI sources…',
  noneTitle: 'No NDI source found yet',
  none: 'Check that the sender runs, that both machines see one network and are in one NDI group, and that no firewall blocks mDNS (UDP 5353). A sender of another network is found by its address or a discovery server: Settings.',
  emptyText: ['Choose a source on the left and press ', ' to follow its stream.'],
  hint: 'Each frame is followed by its code where the sender is Whiteline, otherwise by its timestamps.',
  noRamp: 'A ramp plays streams of its own: choose another source for one.',
  noAddress: 'address unknown',
  machineUnknown: 'machine unknown',
  /** `isKnown`: it was followed; otherwise its name alone says so. */
  kind: (sender: LiveSource['sender'], isKnown: boolean) => {
    if (sender === 'own') return 'this console';
    if (!isKnown) return sender === 'whiteline' ? 'Whiteline by its name' : null;
    return sender === 'whiteline' ? 'Whiteline' : 'other sender';
  },
  noFormat: 'size and rate unknown',
  noFormatHelp: 'Size, rate and kind of a listed sender are known once it was followed.',
  tags: { followed: 'followed', typed: 'typed by you' },
  find: 'Find',
  nothingLike: 'No source has that in its name or address.',
  gone: 'No longer announced',
  forget: 'Forget',
  forgetOne: (name: string) => `Forget ${name}`,
  forgetAll: 'Forget all',
  address: 'Sender not listed? Its address',
  addressHint: '192.0.2.7:5961',
  lookThere: 'Look there',
  asked: (host: string) =>
    `${host} is asked for its senders until the engine restarts. To keep it: Settings, Extra addresses.`,
  hindrances: {
    'none-chosen': 'Choose a source, then add it.',
    own: 'This console sends it: it is followed already, with all that its sender knows.',
    followed: 'It is followed already.',
    lost: 'It is not listed any more: its sender ended, or its network is down. It can be added once it is back.',
  },
} as const;
