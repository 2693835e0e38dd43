"""The room where drivers live: devices, validation, buffers and launches. Nothing else in the project imports wgpu or wgpudawn."""
