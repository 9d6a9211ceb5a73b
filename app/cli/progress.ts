import { printTo, rewriteLine } from './terminal';

interface ShownProgress {
  framesDone: number;
  frames: number;
  /** Put behind the figures. */
  note?: string;
}

/** One line on standard error that is written over; where that is no terminal, one line for each tenth. */
export class ProgressLine {
  private shown = '';
  private tenth = 0;

  constructor(
    private readonly verb: string,
    private readonly output: NodeJS.WriteStream = process.stderr,
  ) {}

  readonly show = ({ framesDone, frames, note = '' }: ShownProgress): void => {
    if (frames === 0) return;
    const percent = Math.floor((100 * framesDone) / frames);
    const text = `${this.verb} ${framesDone} of ${frames} frames, ${percent} %${note}`;
    if (this.output.isTTY) {
      if (text !== this.shown) rewriteLine(this.output, text, this.shown.length);
    } else if (Math.floor(percent / 10) > this.tenth) printTo(this.output, text);
    this.shown = text;
    this.tenth = Math.floor(percent / 10);
  };

  /** Clears the line for what is printed next. */
  end(): void {
    if (this.output.isTTY && this.shown !== '') rewriteLine(this.output, '', this.shown.length);
    this.shown = '';
  }
}
