/** On which machines the ends of streams run; null: this one. */
export const endTexts = {
  sendOn: 'Send from',
  receiveOn: 'Receive on',
  /** "display-1, display-2 and this machine" */
  inTurn: (machines: readonly string[]) =>
    `${machines.slice(0, -1).join(', ')} and ${machines.at(-1)} receive streams in turn.`,
  from: (machine: string) => `from ${machine}`,
  to: (machine: string) => `to ${machine}`,
  way: (sender: string | null, receiver: string | null) =>
    `Sent by ${sender ?? 'this machine'}, received by ${receiver ?? 'this machine'}`,
} as const;
