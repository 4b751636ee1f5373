import { NavigationType, useLocation, useNavigationType } from 'react-router';
import * as v from 'valibot';

const schema = v.object({ notice: v.string() });

/** What the screen before has to say, from the state that it navigated with; null after a reload. */
export function useArrivingNotice(): string | null {
  const { state } = useLocation();
  const type = useNavigationType();
  const parsed = v.safeParse(schema, state);
  return parsed.success && type !== NavigationType.Pop ? parsed.output.notice : null;
}
