import { anotherSenderText } from '../../facts/another-sender';
import { lengthText } from '../../facts/count-words';
import type { StreamState } from '../../protocol/console';
import { PictureClass, type ReceiverStatus } from '../../protocol/records';
import { leaseSeconds } from '../../protocol/thresholds';

/** What a state means, what usually causes it, and what to do. Source: the first study's troubleshooting, and findings. */
export interface Explanation {
  text: string;
  remedy: string;
}

/**
 * died: no picture came since. stopped: a signal or a debugger had stopped it at the last load sample. silent: it runs but does not
 * report, so it may have been stopped since.
 */
export type ReceiverTrouble = 'died' | 'stopped' | 'silent';

/** One of its ends is on another machine that does not report. */
export interface MachineAway {
  machine: string;
  /** What of the stream is there: "sending process". */
  process: string;
  /** Why it was given up, as it follows its name; null: it was not, and may be heard again. */
  why: string | null;
}

export interface ExplainedStream {
  /** Absent or null: each end is here, or is heard. */
  away?: MachineAway | null;
  /** Class of the newest picture (`PictureClass`). */
  pictureClass: number;
  /** Null before its receiver is open. */
  receiver: Pick<ReceiverStatus, 'fourCC' | 'width' | 'height'> | null;
  /** Null: it is not known yet whether its pictures carry our frame code. */
  followedBy: 'code' | 'times' | null;
  /** Its receiver is connected to the sender. */
  isConnected: boolean;
  /** Its newest picture is one that came before. */
  isRepeating: boolean;
  /** Its sender's records come along: they say what it submits. */
  reportsRecords: boolean;
  /** Of the process that receives it. */
  receiverTrouble: ReceiverTrouble | null;
  /** The process that is stopped still; null: it goes on by now, or is not known. */
  stoppedProcessId: number | null;
  /** No picture came within the connect timeout. */
  timedOut: boolean;
  connectTimeoutSeconds: number;
  /** Interfaces of this machine that lost their link about when its pictures ended, and have none yet. */
  downLinks: readonly string[];
  /** Those that lost it then and have it again. */
  backLinks: readonly LinkBack[];
}

/** An interface that lost its link and has it again. */
export interface LinkBack {
  name: string;
  downSeconds: number;
}

const texts: Record<Exclude<StreamState, 'undecodable' | 'stalled' | 'searching'>, Explanation> = {
  connecting: {
    text: 'Sender found, waiting for its first picture',
    remedy:
      'If it stays so: check the firewall for TCP and UDP 5960 and up, and restart the sender if it was just started again.',
  },
  'no-video': {
    text: 'Connected, but no picture comes',
    remedy:
      'The address may be from before the sender’s restart, or a firewall may let only the connection through: restart the sender, open TCP and UDP 5960 and up, then remove the stream and add it again.',
  },
  'warming-up': { text: 'Receiving; frames are counted when the warm-up is over', remedy: '' },
  receiving: { text: 'Receiving', remedy: '' },
  'wrong-source': {
    text: anotherSenderText,
    remedy:
      'Two senders share a name, a mixer shows another source (whiteline watch --programme follows all of them), another one has taken its port, or discovery holds an old address: rename one, or restart the sender.',
  },
  'sender-gone': {
    text: 'No connection to the sender, and discovery no longer lists it',
    remedy:
      'Check that the sender runs, and the way to its machine. The stream goes on by itself when it is back.',
  },
  'stale-entry': {
    text: 'Discovery still lists the sender, but there is no connection to it',
    remedy:
      'Check that the sender runs, and restart it if it does not. If it runs: check that both machines see the same network.',
  },
  removing: { text: 'Being removed', remedy: '' },
};

const searching: Explanation = {
  text: 'Looking for the sender on the network',
  remedy:
    'If it stays so: check the name, that the sender runs, that mDNS works (UDP 5353 open; on Linux avahi-daemon runs), and that both are in one NDI group.',
};

/** The sender is connected, and says what it submits: the row says what was seen beside the loss. Nothing here shows a remedy. */
const stalled: Explanation = {
  text: 'No new picture for more than half a second; the sender is connected',
  remedy: '',
};

const repeating: Explanation = {
  text: 'No new picture for more than half a second: the last one came again',
  remedy: 'Check what the sender plays.',
};

const receiverDied: Explanation = {
  text: 'Whiteline’s receiving process died: no picture is received until it is back',
  remedy: 'Whiteline starts it again. If it does not come back: restart Whiteline.',
};

function receiverStopped(processId: number | null): Explanation {
  if (processId === null)
    return { text: 'Whiteline’s receiving process was stopped: nothing is known of the sender', remedy: '' };
  return {
    text: 'Whiteline’s receiving process is stopped: nothing is known of the sender',
    remedy: `Let it go on (kill -CONT ${processId}), or close the debugger that holds it.`,
  };
}

const receiverSilent: Explanation = {
  text: 'Whiteline’s receiving process does not answer: nothing is known of the sender',
  remedy: 'It may be stopped, or hang. If it stays so: restart Whiteline.',
};

const stalledUnreported: Explanation = {
  text: 'No new picture for more than half a second; the sender is connected, whether it still sends is not known',
  remedy: 'Check what the sender does.',
};

/** Of a sender without our code: some send only when their picture changes. */
const silent: Explanation = {
  text: 'No new picture for more than half a second; the sender is connected, and may send only when its picture changes',
  remedy:
    'If it should send all the time: check what it shows. What is lost while it is silent is not measured.',
};

const disconnected: Explanation = {
  text: 'No new picture for more than half a second, and the connection is gone',
  remedy:
    'Check that the sender runs, and restart it if it does not. If it runs: check the way to its machine.',
};

/** At an address that was given. */
const unreached: Explanation = {
  text: 'No picture comes, and there is no connection to the address',
  remedy:
    'Check the address and its port, that the sender runs, and the firewall: a sender that is started again may take another port.',
};

const codecBroke =
  'The codec may have broken down, as on particles, noise or pixel shaders: use simpler content, a smaller format or fewer streams.';

/** A picture whose code cannot be read, by what it looks like. */
const undecodable = new Map<number, Explanation>([
  [
    PictureClass.Black,
    {
      text: 'Pictures come, but they are black and carry no frame code',
      remedy:
        'The sender may play nothing, or may have lost its own input: check what it shows. If it shows a picture, restart sender and receiver.',
    },
  ],
  [PictureClass.SolidGreen, { text: 'Pictures come, but they are solid green', remedy: codecBroke }],
  [
    PictureClass.Placeholder,
    {
      text: 'The SDK shows its placeholder, black with a green and a red bar, in place of the video',
      remedy:
        'This NDI runtime may not decode what the sender sends (NDI HX, or a newer version): update the runtime on the receiver, or let the sender use full-bandwidth NDI.',
    },
  ],
  [
    PictureClass.Frozen,
    {
      text: 'The same picture comes again and again, without a readable frame code',
      remedy: `If the sender’s own picture stands still, restart its source. ${codecBroke}`,
    },
  ],
]);

/** It may be what the sender means to show. */
const greenWithoutCode: Explanation = {
  text: 'Pictures come, but they are solid green',
  remedy:
    'If the sender does not show green itself, a codec is missing or has broken down: restart sender and receiver, and update the NDI runtime.',
};

/** The formats in which native code looks for a frame code. */
const readableFormats = ['UYVY', 'UYVA', 'BGRA', 'BGRX'];

/** A picture that looks like none of these; its format is named once it is known. */
function unreadable(receiver: ExplainedStream['receiver']): Explanation {
  const fourCC = receiver?.fourCC || null;
  const named = fourCC ? ` (${fourCC}, ${receiver?.width}×${receiver?.height})` : '';
  const text = `Pictures come${named}, but the frame code cannot be read in them`;
  if (fourCC && !readableFormats.includes(fourCC)) {
    return { text, remedy: `Let the sender send one of ${readableFormats.join(', ')}: no other is read.` };
  }
  return {
    text,
    remedy: `Check that nothing on the way crops, scales or covers the top and bottom of the picture. ${codecBroke}`,
  };
}

/** States of a stream without pictures. */
const withoutPictures: readonly StreamState[] = [
  ...(['searching', 'connecting', 'no-video', 'stalled', 'sender-gone', 'stale-entry'] as const),
];

function machineAway({ machine, process, why }: MachineAway): Explanation {
  if (why === null)
    return {
      text: `${machine} is not reachable: what its ${process} does is not known`,
      remedy: `Its reports come once it is reachable again. If it stays so for ${leaseSeconds} s, it is given up: check the network to it, and that it runs.`,
    };
  return {
    text: `The ${process} on ${machine} ${why}`,
    remedy: `Start the agent on ${machine} if it is not running, and check the network to it; then remove the stream and add it again.`,
  };
}

export function explain(state: StreamState, stream: ExplainedStream): Explanation {
  if (stream.away && state !== 'removing') return machineAway(stream.away);
  const explanation = explained(state, stream);
  const { downLinks, backLinks } = stream;
  if (!withoutPictures.includes(state)) return explanation;
  if (stream.receiverTrouble === 'stopped') return receiverStopped(stream.stoppedProcessId);
  if (stream.receiverTrouble === 'silent') return receiverSilent;
  if (stream.receiverTrouble === 'died') return explanation;
  if (downLinks.length > 0) {
    const names = downLinks.join(', ');
    return {
      text: `${explanation.text}; ${names} ${downLinks.length === 1 ? 'has' : 'have'} no link`,
      remedy: `Check the cable of ${names}, what is at its other end, and that the interface is switched on.`,
    };
  }
  if (backLinks.length === 0) return explanation;
  const were = backLinks.map(({ name, downSeconds }) => `${name} had no link for ${lengthText(downSeconds)}`);
  return {
    text: `${explanation.text}; ${were.join(', ')}, and ${backLinks.length === 1 ? 'has it' : 'have it'} again`,
    remedy:
      'Whiteline connects again by itself, which may take some seconds. If no picture comes: restart the sender.',
  };
}

function explained(state: StreamState, stream: ExplainedStream): Explanation {
  switch (state) {
    case 'undecodable':
      if (stream.followedBy !== 'code' && stream.pictureClass === PictureClass.SolidGreen)
        return greenWithoutCode;
      return undecodable.get(stream.pictureClass) ?? unreadable(stream.receiver);
    case 'stalled':
      if (stream.receiverTrouble === 'died') return receiverDied;
      if (!stream.isConnected) return disconnected;
      if (stream.isRepeating) return repeating;
      if (stream.followedBy === 'times') return silent;
      return stream.reportsRecords ? stalled : stalledUnreported;
    case 'no-video':
      return stream.isConnected ? texts[state] : unreached;
    case 'searching':
      return stream.timedOut
        ? { ...searching, text: `No sender of this name was found within ${stream.connectTimeoutSeconds} s` }
        : searching;
    default:
      return texts[state];
  }
}
