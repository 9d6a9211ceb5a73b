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
  tags: { own: 'this console', whiteline: 'Whiteline by its name', followed: 'followed', lost: 'lost' },
  hindrances: {
    'none-chosen': 'Choose a source, then add it.',
    own: 'This console sends it: it is followed already, with all that its sender knows.',
    followed: 'It is followed already.',
    lost: 'It is not listed any more: its sender ended, or its network is down. It can be added once it is back.',
  },
} as const;
