import { Component, type ReactNode } from 'react';
import { texts } from '../texts';

interface Props {
  /** What could not be shown: "this report". */
  what: string;
  children: ReactNode;
}

/** What cannot be drawn says so in its own place, and leaves all around it. A page that is printed is searched for the mark. */
export class Guard extends Component<Props, { problem: string | null }> {
  override state: { problem: string | null } = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <p role="alert" data-undrawn>
        {texts.undrawn(this.props.what, problem)}
      </p>
    );
  }
}
