/** What a terminal of this width shows after what was written to it. It knows only the sequences that the command uses. */
export class Screen {
  private readonly lines: string[] = [''];
  private column = 0;

  constructor(private readonly columns: number) {}

  write(text: string): void {
    const [first = '', ...further] = text.split('\u001b[K');
    this.writePlain(first);
    for (const part of further) {
      this.current = this.current.slice(0, this.column);
      this.writePlain(part);
    }
  }

  get shown(): string[] {
    return this.lines.map((line) => line.trimEnd());
  }

  private writePlain(text: string): void {
    for (const character of text) {
      if (character === '\r') this.column = 0;
      else if (character === '\n') this.next();
      else this.put(character);
    }
  }

  private put(character: string): void {
    if (this.column === this.columns) this.next();
    const line = this.current.padEnd(this.column);
    this.current = line.slice(0, this.column) + character + line.slice(this.column + 1);
    this.column += 1;
  }

  /** Ends a line; programs write no more than "\n", of which a terminal makes "\r\n". */
  private next(): void {
    this.lines.push('');
    this.column = 0;
  }

  private get current(): string {
    return this.lines[this.lines.length - 1] ?? '';
  }

  private set current(line: string) {
    this.lines[this.lines.length - 1] = line;
  }
}

interface Outputs {
  isTTY: boolean;
  columns: number;
}

const outputs = ['stdout', 'stderr'] as const;

/**
 * Both outputs of this process as one terminal, or as two files; what is written to them does not reach those of the test.
 * `restore` puts them back.
 */
export function takeOutputs({ isTTY, columns }: Outputs) {
  const screen = new Screen(columns);
  const written = { stdout: '', stderr: '' };
  const before = outputs.map((name) => ({
    name,
    properties: (['write', 'isTTY', 'columns'] as const).map(
      (key) => [key, Object.getOwnPropertyDescriptor(process[name], key)] as const,
    ),
  }));
  for (const name of outputs) {
    const write = (text: string): boolean => {
      written[name] += text;
      screen.write(text);
      return true;
    };
    const own = (value: unknown) => ({ value, configurable: true, writable: true });
    Object.defineProperties(process[name], { write: own(write), isTTY: own(isTTY), columns: own(columns) });
  }
  const restore = (): void => {
    for (const { name, properties } of before)
      for (const [key, descriptor] of properties) {
        if (descriptor) Object.defineProperty(process[name], key, descriptor);
        else Reflect.deleteProperty(process[name], key);
      }
  };
  return { screen, written, restore };
}
