import { badInput } from '../../protocol/errors';

/** What a console has opened in one stream host, by its ids. */
export class OpenEnds {
  private readonly ids = {
    source: new Set<number>(),
    sender: new Set<number>(),
    receiver: new Set<number>(),
  };

  get senders(): number {
    return this.ids.sender.size;
  }

  get receivers(): number {
    return this.ids.receiver.size;
  }

  hasReceiver(id: number): boolean {
    return this.ids.receiver.has(id);
  }

  get sources(): number {
    return this.ids.source.size;
  }

  /**
   * Returns what takes it back, where the host cannot open it.
   * @throws WhitelineError BAD_INPUT if it is open: a host would lose the first of two with one id
   */
  open(kind: keyof OpenEnds['ids'], id: number): () => void {
    const ids = this.ids[kind];
    if (ids.has(id))
      throw badInput(`${kind}Id`, `a ${kind} that is not open yet`, id, 'Close the open one first');
    ids.add(id);
    return () => void ids.delete(id);
  }

  close(kind: keyof OpenEnds['ids'], id: number): void {
    this.ids[kind].delete(id);
  }
}
