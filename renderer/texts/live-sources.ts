import type { LiveSource } from '../../app/protocol/console';

/** Texts of the choice of NDI sources on the network. */

export const liveSourcesTexts = {
  title: 'Sources on the network',
  searching: 'Looking for NDI sources…',
  noneTitle: 'No NDI source found yet',
  none: 'Check that the sender is running, that both machines are on the same network and in the same NDI group, and that no firewall blocks mDNS (UDP 5353). To find a sender on another network, add its address or a discovery server in Settings.',
  emptyText: ['Choose a source on the left and press ', ' to follow its stream.'],
  hint: 'Space or Enter on the chosen source adds it. If the sender is Whiteline, each frame is identified by the code in its picture, otherwise by its timestamp.',
  noRamp: 'A ramp sends its own streams. To run one, choose another source.',
  noAddress: 'address unknown',
  machineUnknown: 'machine unknown',
  /** `isKnown`: it was followed; otherwise its name alone says so. */
  kind: (sender: LiveSource['sender'], isKnown: boolean) => {
    if (sender === 'own') return 'this console';
    if (!isKnown) return sender === 'whiteline' ? 'Whiteline by its name' : null;
    return sender === 'whiteline' ? 'Whiteline' : 'other sender';
  },
  noFormat: 'size and rate unknown',
  noFormatHelp: 'The size, rate and kind of a sender are known only after you have followed it once.',
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
    `Whiteline asks ${host} for its senders until the engine restarts. To keep it, add it in Settings under Extra addresses, or start whiteline serve with --from.`,
  hindrances: {
    'none-chosen': 'Choose a source, then add it.',
    own: 'This console sends it and follows it already.',
    followed: 'It is followed already.',
    lost: 'It is no longer announced: its sender may have ended, or the network may be down. You can add it when it is back.',
  },
} as const;
