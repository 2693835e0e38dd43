"""@sd.kernel on a method."""

import shaderdsl as sd


class Model:
    @sd.kernel
    def run(self, k: sd.Kernel) -> None:
        k.barrier()


Model.run.wgsl()
