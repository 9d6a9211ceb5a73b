import type { FleetView, MachineLine } from '../../protocol/fleet/fleet-view';

/** Which lines changed since one who asks had them. */
export class LineChanges {
  private known: { id: string; text: string; revision: number }[] = [];
  /** Since when there are these lines in this order. */
  private listRevision: number;

  /** @param revision later than all of an engine before this one, whose revisions a window may still name */
  constructor(private revision: number) {
    this.listRevision = revision;
  }

  since(asked: number, lines: readonly MachineLine[]): Pick<FleetView, 'revision' | 'isWhole' | 'changed'> {
    this.take(lines);
    const { revision, listRevision, known } = this;
    const isWhole = asked < listRevision || asked > revision;
    const changed: FleetView['changed'] = [];
    for (const [at, line] of lines.entries())
      if (isWhole || (known[at]?.revision ?? revision) > asked) changed.push([at, line]);
    return { revision, isWhole, changed };
  }

  private take(lines: readonly MachineLine[]): void {
    const next = this.revision + 1;
    const before = this.known;
    const isSameList = lines.length === before.length && lines.every(({ id }, at) => before[at]?.id === id);
    this.known = lines.map((line, at) => {
      const text = JSON.stringify(line);
      const known = before[at];
      return isSameList && known?.text === text ? known : { id: line.id, text, revision: next };
    });
    if (!isSameList) this.listRevision = next;
    if (this.known.some(({ revision }) => revision === next) || !isSameList) this.revision = next;
  }
}
