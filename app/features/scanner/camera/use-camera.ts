import { useEffect, useState } from 'react';
import { type Camera, type CameraProblem, cameraProblem, closeCamera, openCamera, setTorch } from './camera.ts';
import { useVisible } from './use-visible.ts';

export type CameraState =
  | { readonly status: 'asking' }
  | { readonly status: 'on'; readonly camera: Camera }
  | { readonly status: CameraProblem };

/** The device's camera for as long as `wanted` is true and the page is to be seen; it is let go at once otherwise. */
export function useCamera(wanted: boolean) {
  const visible = useVisible();
  const [state, setState] = useState<CameraState>({ status: 'asking' });
  const [attempt, setAttempt] = useState(0);
  const [deviceId, setDeviceId] = useState<string | null>(null);
  const [torch, switchTorch] = useState(false);
  const active = wanted && visible;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it anew
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let opened: Camera | undefined;
    const lost = () => {
      if (!stopped) setState({ status: 'busy' });
    };
    openCamera(deviceId).then(
      (camera) => {
        opened = camera;
        if (stopped) return closeCamera(camera);
        camera.stream.getVideoTracks()[0]?.addEventListener('ended', lost);
        setState({ status: 'on', camera });
      },
      (error: unknown) => {
        if (!stopped) setState({ status: cameraProblem(error) });
      },
    );
    return () => {
      stopped = true;
      if (opened !== undefined) closeCamera(opened);
      setState({ status: 'asking' });
      switchTorch(false);
    };
  }, [active, deviceId, attempt]);

  useWhenAllowed(state.status === 'denied', () => setAttempt((count) => count + 1));

  return {
    state,
    torch,
    tryAgain: () => setAttempt((count) => count + 1),
    switchCamera: () => state.status === 'on' && setDeviceId(state.camera.next),
    async toggleTorch() {
      if (state.status !== 'on') return;
      await setTorch(state.camera, !torch).then(
        () => switchTorch(!torch),
        // It stays as it is, and the button says so.
        () => {},
      );
    },
  };
}

/** Calls `allowed` when the permission that was refused is given after all, in the browser's own settings. */
function useWhenAllowed(waiting: boolean, allowed: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only whether there is something to wait for matters
  useEffect(() => {
    if (!waiting || !('permissions' in navigator)) return;
    let permission: PermissionStatus | undefined;
    const look = () => permission?.state === 'granted' && allowed();
    navigator.permissions.query({ name: 'camera' }).then(
      (found) => {
        permission = found;
        found.addEventListener('change', look);
      },
      // This browser does not tell; trying again is a button.
      () => {},
    );
    return () => permission?.removeEventListener('change', look);
  }, [waiting]);
}
