from shaderdsl.ir.kernel import Kernel


def kernel_text(kernel: Kernel) -> str:
    return repr(kernel)
